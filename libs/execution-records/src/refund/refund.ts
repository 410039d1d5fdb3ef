import { larger, smaller } from '@maker/rules';
import type { Address } from 'viem';
import type { Execution, TransferClaim } from '../execution/execution.ts';
import { freeBalance, heldBalance } from '../ledger/ledger-entry.ts';

/**
 * The states of a refund:
 *
 *   due ──▶ returned        its own transfer is final
 *    ├────▶ with_the_rest   its money left with the rest of the job before the executor knew of it
 *    └────▶ held ──▶ released ──▶ returned   by an operator's command
 *   reported                money that no deposit explained, reported to the job service, which answers with a refund
 */
export const REFUND_STATES = ['due', 'returned', 'with_the_rest', 'held', 'released', 'reported'] as const;

export type RefundState = (typeof REFUND_STATES)[number];

/** Money that pays for no order, and its return. */
export interface Refund {
  /** Id from the job service; a `reported` refund has the deposit's id. */
  readonly id: string;
  readonly jobId: string;
  readonly depositIds: readonly string[];
  /** Sum of these deposits, wei. */
  readonly amountWei: bigint;
  readonly to: Address | null;
  /** Present if `to` is the sender of the deposits: the chain must prove these transfers before the refund is sent. */
  readonly sentBy?: readonly TransferClaim[];
  readonly holdReason: string | null;
  /** The newest block that holds one of the deposits. */
  readonly blockNumber: number;
  readonly state: RefundState;
  readonly recordedAt: Date;
}

const UNEXPLAINED = ':surplus:';

/** Id of a deposit for surplus that payment-watcher did not report. @param blockNumber block of its discovery */
export function unexplainedDepositId(wallet: Address, blockNumber: number): string {
  return `${wallet.toLowerCase()}${UNEXPLAINED}${blockNumber}`;
}

/** Most returns of unexplained money to one address. Without a limit, an address that sends it back would cause endless returns. */
export const MOST_UNEXPLAINED_RETURNS = 3;

/** Whether no deposit explains the money of a refund. */
export function isUnexplained({ depositIds }: Pick<Refund, 'depositIds'>): boolean {
  return depositIds.every((depositId) => depositId.includes(UNEXPLAINED));
}

/** Matches the ids of unreported deposits, for a query. */
export const UNEXPLAINED_DEPOSIT = new RegExp(UNEXPLAINED);

/** Sums of a job's refunds by state, wei. */
export type RefundSums = Readonly<Record<RefundState, bigint>>;

/** Adds refunds to sums. */
export function sumRefunds(
  refunds: readonly Pick<Refund, 'state' | 'amountWei'>[],
  before: RefundSums = NO_REFUNDS,
): RefundSums {
  const sums = { ...before };
  for (const { state, amountWei } of refunds) sums[state] += amountWei;
  return sums;
}

/** The sums of a job without refunds. */
export const NO_REFUNDS: RefundSums = Object.freeze(
  Object.fromEntries(REFUND_STATES.map((state) => [state, 0n])) as Record<RefundState, bigint>,
);

type Books = Pick<Execution, 'totals' | 'absorbedWei'>;

/** Surplus less the refunds in all states but the ignored ones, wei. */
function surplusLeft({ totals, absorbedWei }: Books, sums: RefundSums, ...ignored: readonly RefundState[]): bigint {
  const others = REFUND_STATES.filter((state) => !ignored.includes(state));
  return others.reduce((rest, state) => rest - sums[state], totals.surplusWei - absorbedWei);
}

/**
 * Surplus without a known deposit, wei; negative while the money of a known deposit is not booked yet.
 * `absorbedWei` covers money that went with the rest of the job before its deposit was known.
 */
export function unexplainedSurplus(books: Books, sums: RefundSums): bigint {
  return surplusLeft(books, sums, 'with_the_rest');
}

/** Money reserved for refunds that are due or await the job service's decision, wei: it pays for nothing else. */
export function reservedForRefunds(books: Books, sums: RefundSums): bigint {
  const cameWei = surplusLeft(books, sums, 'with_the_rest', 'due', 'reported');
  return larger(0n, smaller(sums.due + sums.reported, cameWei));
}

/** The job's own money in the wallet, wei: neither held nor reserved for refunds. */
export function ownBalance(books: Books, sums: RefundSums): bigint {
  return freeBalance(books.totals) - reservedForRefunds(books, sums);
}

/** {@link ownBalance} with the held part of it: a return that was signed before may still move that part. */
export function ownBalanceWithHeld(books: Books, sums: RefundSums): bigint {
  return ownBalance(books, sums) + larger(0n, heldBalance(books.totals) - sums.held - sums.released);
}

/** Surplus that remains for the due refunds, wei: each is paid from the part that earlier ones left. */
export function surplusForDue(books: Books, sums: RefundSums): bigint {
  return surplusLeft(books, sums, 'with_the_rest', 'due');
}

/**
 * Whether the wallet has the money of a refund and no other refund claims it: otherwise it left with the rest.
 * @param surplusWei see {@link surplusForDue} @param freeWei the wallet's balance without held money
 */
export function isCovered({ amountWei }: Pick<Refund, 'amountWei'>, surplusWei: bigint, freeWei: bigint): boolean {
  return surplusWei >= amountWei && freeWei >= amountWei;
}
