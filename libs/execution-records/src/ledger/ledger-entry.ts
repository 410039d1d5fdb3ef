/** The kinds of entries. Gas of orders has its own kind because the order budget pays it. */
export const LEDGER_KINDS = [
  'deposit',
  'surplus',
  'fee',
  'order',
  'order_gas',
  'gas',
  'returned',
  'held',
  'released',
  'missing',
  'bought',
  'delivered',
] as const;

export type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * The accounts of the ledger. Only `wallet` is the job's own. `held` is in the wallet but reserved for an operator. `unknown` takes money
 * that the chain no longer shows and no transaction of ours explains.
 */
export type LedgerAccount = 'payer' | 'wallet' | 'treasury' | 'pool' | 'gas' | 'held' | 'unknown';

/** The two accounts and the asset of each kind: this table is the double-entry book. */
const MOVES: Readonly<Record<LedgerKind, { from: LedgerAccount; to: LedgerAccount; asset: 'hype' | 'token' }>> = {
  deposit: { from: 'payer', to: 'wallet', asset: 'hype' },
  // Money that came after the deposit was counted.
  surplus: { from: 'payer', to: 'wallet', asset: 'hype' },
  fee: { from: 'wallet', to: 'treasury', asset: 'hype' },
  order: { from: 'wallet', to: 'pool', asset: 'hype' },
  order_gas: { from: 'wallet', to: 'gas', asset: 'hype' },
  gas: { from: 'wallet', to: 'gas', asset: 'hype' },
  returned: { from: 'wallet', to: 'payer', asset: 'hype' },
  held: { from: 'wallet', to: 'held', asset: 'hype' },
  // An operator decided about the held money.
  released: { from: 'held', to: 'wallet', asset: 'hype' },
  // An operator wrote it off: for example, a reorganisation removed a deposit for good.
  missing: { from: 'wallet', to: 'unknown', asset: 'hype' },
  bought: { from: 'pool', to: 'wallet', asset: 'token' },
  delivered: { from: 'wallet', to: 'payer', asset: 'token' },
};

/** One line of the append-only ledger of a job. Source: design § 5. */
export interface LedgerEntry {
  /** The transaction's id and the kind, so that nothing is booked twice. */
  readonly id: string;
  readonly jobId: string;
  readonly kind: LedgerKind;
  readonly asset: 'hype' | 'token';
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  /** Wei, or the token's smallest unit. */
  readonly amountWei: bigint;
  readonly transactionHash: string | null;
  readonly blockNumber: number | null;
  readonly recordedAt: Date;
}

/** Sum of a job's entries by kind. */
export type LedgerTotals = Readonly<Record<`${LedgerKind}Wei`, bigint>>;

/** A ledger without entries. */
export const EMPTY_TOTALS: LedgerTotals = Object.freeze(
  Object.fromEntries(LEDGER_KINDS.map((kind) => [`${kind}Wei`, 0n])) as Record<`${LedgerKind}Wei`, bigint>,
);

/** Makes an entry; its kind decides the two accounts. @param source id of the booked transaction or event */
export function ledgerEntry(
  source: string,
  kind: LedgerKind,
  fields: Pick<LedgerEntry, 'jobId' | 'amountWei' | 'recordedAt'> &
    Partial<Pick<LedgerEntry, 'transactionHash' | 'blockNumber'>>,
): LedgerEntry {
  return { id: `${source}/${kind}`, kind, ...MOVES[kind], transactionHash: null, blockNumber: null, ...fields };
}

/** The entry that reverses another: the same amount in the other direction. No entry is ever removed. */
export function reversed(entry: LedgerEntry, recordedAt: Date): LedgerEntry {
  return { ...entry, id: `${entry.id}/reversed`, from: entry.to, to: entry.from, recordedAt };
}

/** The totals after some more entries. */
export function addEntries(totals: LedgerTotals, entries: readonly LedgerEntry[]): LedgerTotals {
  const sums = { ...totals };
  for (const { kind, from, amountWei } of entries) {
    sums[`${kind}Wei`] += from === MOVES[kind].from ? amountWei : -amountWei;
  }
  return sums;
}

/** HYPE in the wallet by the ledger that is not held for an operator, wei. */
export function freeBalance(totals: LedgerTotals): bigint {
  return account(totals, 'wallet', 'hype');
}

/** HYPE in the wallet that is held for an operator, wei. */
export function heldBalance(totals: LedgerTotals): bigint {
  return account(totals, 'held', 'hype');
}

/** HYPE that the chain must show for the wallet, wei: the free and the held part. */
export function expectedBalance(totals: LedgerTotals): bigint {
  return freeBalance(totals) + heldBalance(totals);
}

/** Gas of every transaction of the job, wei. */
export function gasPaid(totals: LedgerTotals): bigint {
  return totals.order_gasWei + totals.gasWei;
}

/** Balance of an account: entries into it less entries out of it. */
function account(totals: LedgerTotals, name: LedgerAccount, asset: 'hype' | 'token'): bigint {
  let balance = 0n;
  for (const kind of LEDGER_KINDS) {
    const move = MOVES[kind];
    if (move.asset !== asset) continue;
    if (move.to === name) balance += totals[`${kind}Wei`];
    if (move.from === name) balance -= totals[`${kind}Wei`];
  }
  return balance;
}
