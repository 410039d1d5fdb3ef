import type { LedgerLine, OperatorJob } from '@maker/contracts';
import { formatHype } from '@maker/rules';

type Cell = string | number | boolean | null | undefined;

const JOB_COLUMNS = {
  job_id: ({ jobId }) => jobId,
  status: ({ status }) => status,
  created_at: ({ createdAt }) => createdAt,
  activated_at: ({ activatedAt }) => activatedAt,
  ended_at: ({ endedAt }) => endedAt,
  token_address: ({ tokenAddress }) => tokenAddress,
  payment_address: ({ paymentAddress }) => paymentAddress,
  wallet_index: ({ walletIndex }) => walletIndex,
  return_address: ({ returnAddress }) => returnAddress,
  amount_hype: ({ paymentAmountWei }) => formatHype(BigInt(paymentAmountWei)),
  received_hype: ({ receivedWei }) => formatHype(BigInt(receivedWei)),
  late_hype: ({ lateWei }) => formatHype(BigInt(lateWei)),
  underpaid: ({ flags }) => flags.underpaid,
  overpaid: ({ flags }) => flags.overpaid,
  late: ({ flags }) => flags.late,
  returns_due_hype: (job) => sumOfReturns(job, 'due'),
  returns_made_hype: (job) => sumOfReturns(job, 'returned'),
  returns_held_hype: (job) => sumOfReturns(job, 'held'),
} satisfies Record<string, (job: OperatorJob) => Cell>;

const LEDGER_COLUMNS = {
  id: ({ id }) => id,
  recorded_at: ({ recordedAt }) => recordedAt,
  kind: ({ kind }) => kind,
  asset: ({ asset }) => asset,
  from: ({ from }) => from,
  to: ({ to }) => to,
  amount: ({ amount }) => amount,
  amount_hype: ({ asset, amount }) => (asset === 'hype' ? formatHype(BigInt(amount)) : undefined),
  transaction_hash: ({ transactionHash }) => transactionHash,
  block_number: ({ blockNumber }) => blockNumber,
} satisfies Record<string, (line: LedgerLine) => Cell>;

/** First line of the export of all jobs. */
export const JOBS_CSV_HEADER = write(Object.keys(JOB_COLUMNS));

/** First line of a ledger's export. */
export const LEDGER_CSV_HEADER = write(Object.keys(LEDGER_COLUMNS));

/** One job; amounts are exact decimals in HYPE. */
export function jobLine(job: OperatorJob): string {
  return write(Object.values(JOB_COLUMNS).map((column) => column(job)));
}

/** One entry of a ledger; `amount` is wei or the token's smallest unit. */
export function ledgerLine(line: LedgerLine): string {
  return write(Object.values(LEDGER_COLUMNS).map((column) => column(line)));
}

function sumOfReturns({ returns = [] }: OperatorJob, status: 'due' | 'returned' | 'held'): string {
  const sum = returns
    .filter((one) => one.status === status)
    .reduce((wei, { amountWei }) => wei + BigInt(amountWei), 0n);
  return formatHype(sum);
}

/** Values come from closed sets, or are numbers, times, addresses or hashes: none needs quotes. */
function write(cells: readonly Cell[]): string {
  return `${cells.map((cell) => cell ?? '').join(',')}\r\n`;
}
