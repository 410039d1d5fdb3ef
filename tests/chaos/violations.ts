import { routersOf, type StackDescription } from '@maker/local-stack';
import { estimateOrders, FEE_PERCENT, formatHype, isInTime, parseHype } from '@maker/rules';
import { type Address, getAddress, isAddressEqual } from 'viem';
import type { JobRecords } from './service-records.ts';
import { cameIn, type SentTransaction, type WalletFacts } from './wallet-facts.ts';

const ORDER_COST_MINIMUM = parseHype('0.0003');
const ORDER_COST_MAXIMUM = parseHype('0.0005');

/** One job in the chain's and the services' records. */
export interface Evidence {
  readonly stack: Pick<StackDescription, 'treasury' | 'contracts'>;
  readonly records: JobRecords;
  readonly facts: WalletFacts;
}

/** A wallet's transactions by purpose, judged by their recipients only. */
interface SortedTransactions {
  readonly fees: readonly SentTransaction[];
  readonly orders: readonly SentTransaction[];
  readonly tokenCalls: readonly SentTransaction[];
  /** Plain transfers to other recipients: returns. */
  readonly transfers: readonly SentTransaction[];
}

/** Every violation of a job at rest; empty if every wei is where it belongs. */
export function violationsOf(evidence: Evidence): readonly string[] {
  const sorted = sort(evidence);
  return [
    ...statusViolations(evidence),
    ...feeViolations(evidence, sorted),
    ...orderViolations(evidence, sorted),
    ...returnViolations(evidence, sorted),
    ...nonceViolations(evidence),
    ...ledgerViolations(evidence, sorted),
    ...tokenViolations(evidence),
  ];
}

/** Whether the job had to run: enough money came in time, by the timestamps of blocks. Source: design § 4 'Deadline'. */
function wasPaid({ records: { job }, facts }: Evidence): boolean {
  const inTime = facts.transfersIn.filter(({ blockAtMs }) =>
    isInTime(blockAtMs, job?.paymentDeadlineAt.getTime() ?? 0),
  );
  return total(inTime.map(({ valueWei }) => valueWei)) >= BigInt(job?.paymentAmountWei ?? 0);
}

function statusViolations(evidence: Evidence): string[] {
  const { records } = evidence;
  if (!records.job) return ['the job is not in the database'];
  const expected = wasPaid(evidence) ? 'completed' : 'payment_expired';
  const credited = total(records.deposits.map(({ amountWei }) => BigInt(amountWei)));
  const came = cameIn(evidence.facts);
  return complaints([
    [
      records.job.status === expected,
      `by the chain the job must be ${expected}, and is ${records.job.status} (execution: ${records.execution?.phase})`,
    ],
    [credited === came, `${came} wei came, and ${credited} were credited`],
    [
      records.deposits.every(({ claimedBy }) => claimedBy !== undefined),
      'a deposit neither pays for the job nor is returned',
    ],
  ]);
}

function feeViolations(evidence: Evidence, { fees }: SortedTransactions): string[] {
  const { execution, deposits } = evidence.records;
  if (!wasPaid(evidence)) return complaints([[fees.length === 0, 'an unpaid job paid a fee']]);
  const counted = total(
    deposits.filter(({ claimedBy }) => claimedBy === 'job').map(({ amountWei }) => BigInt(amountWei)),
  );
  const fee = (counted * FEE_PERCENT) / 100n;
  const paid = fees.map(({ movedWei }) => formatHype(movedWei)).join(' + ');
  return complaints([
    [
      BigInt(execution?.depositWei ?? 0) === counted,
      `the execution runs on ${execution?.depositWei}, not ${counted} wei`,
    ],
    [
      fees.length === 1 && fees[0]?.movedWei === fee,
      `the fee must be ${formatHype(fee)} once, and was ${paid || 'none'}`,
    ],
  ]);
}

function orderViolations({ records: { execution } }: Evidence, { orders }: SortedTransactions): string[] {
  const placed = orders.filter(({ succeeded }) => succeeded);
  if (!execution || BigInt(execution.depositWei) === 0n)
    return complaints([[orders.length === 0, `a job that never ran placed ${orders.length} orders`]]);
  const { lower, upper } = estimateOrders(BigInt(execution.depositWei));
  const costs = placed.map(({ movedWei, gasWei }) => movedWei + gasWei);
  const strange = costs.filter((cost) => cost < ORDER_COST_MINIMUM || cost > ORDER_COST_MAXIMUM);
  return complaints([
    [
      placed.length >= lower && placed.length <= upper,
      `${placed.length} orders were placed, out of ${lower} to ${upper}`,
    ],
    [strange.length === 0, `orders cost ${strange.map(formatHype)} HYPE, out of 0.0003 to 0.0005`],
  ]);
}

/** Each return once: as its own transfer of exactly its amount, or together with the job's rest. */
function returnViolations({ records, facts }: Evidence, { transfers }: SortedTransactions): string[] {
  const stateOf = new Map(records.refunds.map(({ _id, state }) => [_id, state]));
  const lines: string[] = [];
  const own = new Set<string>();
  for (const { _id, status, amountWei, to, transactionHash } of records.returns) {
    const transfer = facts.sent.find(({ hash }) => hash === transactionHash);
    if (status === 'held') continue;
    if (!transfer?.succeeded) lines.push(`the return ${_id} has no successful transfer on the chain`);
    else if (stateOf.get(_id) !== 'with_the_rest') {
      if (own.has(transfer.hash)) lines.push(`the return ${_id} claims the transfer of another one`);
      own.add(transfer.hash);
      if (transfer.movedWei + transfer.gasWei !== BigInt(amountWei))
        lines.push(`the return ${_id} of ${amountWei} wei took ${transfer.movedWei + transfer.gasWei} from the wallet`);
      if (to && !isAddressEqual(transfer.to, to)) lines.push(`the return ${_id} went to ${transfer.to}, not ${to}`);
    }
  }
  const rest = transfers.filter(({ succeeded, hash }) => succeeded && !own.has(hash));
  const hasRest = records.execution !== null && BigInt(records.execution.depositWei) > 0n;
  // Money that came during the return of the rest, and was not explained in time, is returned after it.
  const later = records.refunds.filter(({ state }) => state === 'with_the_rest').length;
  const known = [records.job?.returnAddress, ...records.returns.map(({ to }) => to)].filter(
    (to) => typeof to === 'string',
  );
  const strangers = transfers.filter(({ to }) => !known.some((address) => isAddressEqual(address, to)));
  return [
    ...lines,
    ...complaints([
      [
        rest.length <= (hasRest ? 1 + later : 0),
        `${rest.length} transfers returned the rest: ${rest.map(({ hash }) => hash)}`,
      ],
      [strangers.length === 0, `money went to ${strangers.map(({ to }) => to)}, no known recipient`],
    ]),
  ];
}

/** No gap, nothing in flight, and the chain has the recorded bytes at each nonce. */
function nonceViolations({ records: { transactions }, facts }: Evidence): string[] {
  const { sent, minedNonces, pendingNonces } = facts;
  const lines = complaints([
    [sent.length === minedNonces, `${sent.length} transactions are in blocks, and ${minedNonces} nonces are used`],
    [pendingNonces === minedNonces, `${pendingNonces - minedNonces} transactions are still in the mempool`],
    [transactions.length === minedNonces, `${transactions.length} were recorded, and ${minedNonces} nonces are used`],
    [
      transactions.every(({ nonce }, index) => nonce === index),
      `recorded nonces have a gap: ${transactions.map(({ nonce }) => nonce)}`,
    ],
  ]);
  for (const { _id, nonce, inclusion, attempts } of transactions) {
    const mined = sent.find((transaction) => transaction.nonce === nonce);
    if (!mined) lines.push(`${_id} (nonce ${nonce}) is in no block`);
    else if (inclusion?.hash !== mined.hash || !attempts.some(({ hash }) => hash === mined.hash))
      lines.push(`${_id} (nonce ${nonce}) is recorded as ${inclusion?.hash}, and ${mined.hash} was mined`);
    else if (inclusion.succeeded !== mined.succeeded)
      lines.push(`${_id} is recorded as ${inclusion.succeeded ? 'successful' : 'reverted'}, which is wrong`);
  }
  return lines;
}

/** deposit = fee + orders + gas + returned + held + balance, in the ledger's rows, in its sums and on the chain. */
function ledgerViolations({ records, facts }: Evidence, sorted: SortedTransactions): string[] {
  const { execution, ledger } = records;
  const came = cameIn(facts);
  if (!execution) return complaints([[came === 0n, `${came} wei came, and no ledger knows of them`]]);
  const booked = (...kinds: string[]) =>
    total(ledger.filter(({ kind }) => kinds.includes(kind)).map(({ amountWei }) => BigInt(amountWei)));
  const kinds = new Set(ledger.map(({ kind }) => kind));
  const gas = total(facts.sent.map(({ gasWei }) => gasWei));
  const moved = (transactions: readonly SentTransaction[]) => total(transactions.map(({ movedWei }) => movedWei));
  const equal = (what: string, book: bigint, chain: bigint): [boolean, string] => [
    book === chain,
    `${what}: the ledger says ${book} wei, the chain ${chain}`,
  ];
  const heldWei = booked('held') - booked('released');
  const out = booked('fee', 'order', 'order_gas', 'gas', 'returned');
  return complaints([
    equal('the deposits', booked('deposit', 'surplus'), came),
    equal('fee', booked('fee'), moved(sorted.fees)),
    equal('orders', booked('order'), moved(sorted.orders)),
    equal('gas', booked('order_gas', 'gas'), gas),
    equal('returned', booked('returned'), moved(sorted.transfers)),
    equal('balance', booked('deposit', 'surplus') - out, facts.balanceWei),
    [heldWei <= facts.balanceWei, `${heldWei} wei are held, and the wallet has ${facts.balanceWei}`],
    [heldWei === 0n || execution.heldReason !== null, `${heldWei} wei are held without a reason`],
    [BigInt(execution.driftWei) === 0n, `the wallet drifts by ${execution.driftWei} wei`],
    ...[...kinds].map((kind) => equal(`sum of ${kind}`, BigInt(execution.totals[`${kind}Wei`] ?? 0), booked(kind))),
  ]);
}

/** All bought tokens were delivered to the payer. */
function tokenViolations({ records: { ledger, job }, facts }: Evidence): string[] {
  const booked = (kind: string) =>
    total(ledger.filter((entry) => entry.kind === kind).map(({ amountWei }) => BigInt(amountWei)));
  const bought = total(facts.sent.map(({ tokensIn }) => tokensIn));
  const delivered = total(facts.sent.map(({ tokensOut }) => tokensOut));
  const recipients = facts.sent.flatMap(({ tokenRecipients }) => tokenRecipients);
  return complaints([
    [booked('bought') === bought, `tokens bought: the ledger says ${booked('bought')}, the chain ${bought}`],
    [booked('delivered') === delivered, `tokens delivered: ledger ${booked('delivered')}, chain ${delivered}`],
    [facts.tokenBalance === 0n, `${facts.tokenBalance} token units stayed in the wallet`],
    [
      recipients.every((to) => job?.returnAddress != null && isAddressEqual(to, job.returnAddress)),
      `tokens went to ${recipients}`,
    ],
  ]);
}

function sort({ stack, records, facts }: Evidence): SortedTransactions {
  const routers = routersOf(stack.contracts).map((router) => getAddress(router));
  const treasury = getAddress(stack.treasury);
  const token = getAddress(records.job?.tokenAddress ?? stack.contracts.whype);
  const to = (...addresses: Address[]) => facts.sent.filter((transaction) => addresses.includes(transaction.to));
  return {
    fees: to(treasury),
    orders: to(...routers),
    tokenCalls: to(token),
    transfers: facts.sent.filter((transaction) => ![treasury, token, ...routers].includes(transaction.to)),
  };
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

function complaints(checks: readonly (readonly [holds: boolean, complaint: string])[]): string[] {
  return checks.filter(([holds]) => !holds).map(([, complaint]) => complaint);
}
