import { formatHype } from '@maker/rules';
import type { JournalEntry } from './recovery-journal.ts';
import type { PlannedWallet, RecoveryPlan } from './recovery-plan.ts';

const hype = (wei: string): string => formatHype(BigInt(wei));

/** Formats a plan as a table, with the next setting for the operator. */
export function planText({ wallets, atBlock, firstFreeIndex }: RecoveryPlan): string {
  const withMoney = wallets.filter(holdsSomething);
  const rows = [
    ['index', 'address', 'received', 'fee', 'spent', 'gas', 'left', 'tokens', 'goes to'],
    ...withMoney.map(row),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const table = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const leftWei = withMoney.reduce((sum, { balanceWei }) => sum + BigInt(balanceWei), 0n);
  return [
    `${wallets.length} wallets were used, ${withMoney.length} hold something: ${formatHype(leftWei)} HYPE at block ${atBlock}`,
    ...(withMoney.length > 0 ? table : []),
    `JOB_FIRST_WALLET_INDEX=${firstFreeIndex}`,
  ].join('\n');
}

function row({ index, address, balanceWei, tokens, history, returnTo, because }: PlannedWallet): string[] {
  const amounts = history
    ? [history.receivedWei, history.feeWei, history.sentWei, history.gasWei].map(hype)
    : Array(4).fill('?');
  const destination = returnTo ?? `not decided: ${because}`;
  return [String(index), address, ...amounts, hype(balanceWei), String(tokens.length), destination];
}

function holdsSomething({ balanceWei, tokens }: PlannedWallet): boolean {
  return balanceWei !== '0' || tokens.length > 0;
}

export function journalText(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'opened':
      return `opened by ${entry.operator}: ${entry.reason}`;
    case 'signed':
      return `${entry.wallet} signed ${entry.asset} to ${entry.to} ${entry.hash}`;
    case 'mined':
      return `${entry.wallet} ${entry.asset} ${entry.status === 'success' ? 'returned' : 'REVERTED'} ${entry.hash}`;
    case 'skipped':
      return `${entry.wallet} ${entry.asset} not sent: ${entry.because}`;
  }
}
