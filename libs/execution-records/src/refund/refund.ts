import { larger, smaller } from '@maker/rules';
import type { Address } from 'viem';
import type { Execution, TransferClaim } from '../execution/execution.ts';
import { freeBalance, heldBalance } from '../ledger/ledger-entry.ts';

/**
 * Where a refund stands:
 *
 *   due ──▶ returned        its own transfer is final
 *    ├────▶ with_the_rest   its money had left with the rest of the job before it was heard of
 *    └────▶ held ──▶ released ──▶ returned   by an operator's command
 *   reported                money that no deposit explained, reported to the job service, which answers with a refund
 */
export const REFUND_STATES = ['due', 'returned', 'with_the_rest', 'held', 'released', 'reported'] as const;

export type RefundState = (typeof REFUND_STATES)[number];

/** Money that pays for no order, and what becomes of it. */
export interface Refund {
  /** The id that the job service gave it; of one that is `reported`, the deposit's. */
  readonly id: string;
  readonly jobId: string;
  readonly depositIds: readonly string[];
  /** All that arrived with these deposits, wei. */
  readonly amountWei: bigint;
  readonly to: Address | null;
  /** Present where `to` is the sender of the deposits: what has to prove it before anything is sent. */
  readonly sentBy?: readonly TransferClaim[];
  readonly holdReason: string | null;
  /** The newest block that holds one of the deposits. */
  readonly blockNumber: number;
  readonly state: RefundState;
  readonly recordedAt: Date;
}

const UNEXPLAINED = ':surplus:';

/** Id of the deposit that surplus is, when nobody reported one. @param blockNumber at which it was found */
export function unexplainedDepositId(wallet: Address, blockNumber: number): string {
  return `${wallet.toLowerCase()}${UNEXPLAINED}${blockNumber}`;
}

/** How often such money goes to one address: one that sends back what it gets would be sent it for ever. */
export const MOST_UNEXPLAINED_RETURNS = 3;

/** Whether no deposit explains the money of a refund. */
export function isUnexplained({ depositIds }: Pick<Refund, 'depositIds'>): boolean {
  return depositIds.every((depositId) => depositId.includes(UNEXPLAINED));
}

/** How the ids of deposits look that nobody reported, for a query. */
export const UNEXPLAINED_DEPOSIT = new RegExp(UNEXPLAINED);

/** What the refunds of a job come to, by their state, wei. */
export type RefundSums = Readonly<Record<RefundState, bigint>>;

/** The sums of some refunds, added to others. */
export function sumRefunds(
  refunds: readonly Pick<Refund, 'state' | 'amountWei'>[],
  before: RefundSums = NO_REFUNDS,
): RefundSums {
  const sums = { ...before };
  for (const { state, amountWei } of refunds) sums[state] += amountWei;
  return sums;
}

/** Of a job without refunds. */
export const NO_REFUNDS: RefundSums = Object.freeze(
  Object.fromEntries(REFUND_STATES.map((state) => [state, 0n])) as Record<RefundState, bigint>,
);

type Books = Pick<Execution, 'totals' | 'absorbedWei'>;

/** Surplus less all refunds but those in some states, wei. */
function surplusBeside({ totals, absorbedWei }: Books, sums: RefundSums, ...states: readonly RefundState[]): bigint {
  const others = REFUND_STATES.filter((state) => !states.includes(state));
  return others.reduce((rest, state) => rest - sums[state], totals.surplusWei - absorbedWei);
}

/**
 * Surplus that no known deposit accounts for, wei; negative while a deposit is known whose money is not booked yet.
 * What went with the rest of the job before its deposit was known is accounted for by `absorbedWei`.
 */
export function unexplainedSurplus(books: Books, sums: RefundSums): bigint {
  return surplusBeside(books, sums, 'with_the_rest');
}

/**
 * What of the wallet's money belongs to refunds that are due, or that the job service is still to decide about, wei: nothing
 * else is paid from it.
 */
export function reservedForRefunds(books: Books, sums: RefundSums): bigint {
  const cameWei = surplusBeside(books, sums, 'with_the_rest', 'due', 'reported');
  return larger(0n, smaller(sums.due + sums.reported, cameWei));
}

/** What of the wallet's money is the job's own, wei: neither held nor another's. */
export function ownBalance(books: Books, sums: RefundSums): bigint {
  return freeBalance(books.totals) - reservedForRefunds(books, sums);
}

/** The same with what of it is held: a return that was signed before may still move that. */
export function ownBalanceWithHeld(books: Books, sums: RefundSums): bigint {
  return ownBalance(books, sums) + larger(0n, heldBalance(books.totals) - sums.held - sums.released);
}

/** Surplus that no refund accounts for but those that are due, wei: each of them is paid from what those before it left. */
export function surplusForDue(books: Books, sums: RefundSums): bigint {
  return surplusBeside(books, sums, 'with_the_rest', 'due');
}

/**
 * Whether the money of a refund is in the wallet, and not spoken for by another: otherwise it left with the rest.
 * @param surplusWei see {@link surplusForDue} @param freeWei what the wallet holds and is not held
 */
export function isCovered({ amountWei }: Pick<Refund, 'amountWei'>, surplusWei: bigint, freeWei: bigint): boolean {
  return surplusWei >= amountWei && freeWei >= amountWei;
}
