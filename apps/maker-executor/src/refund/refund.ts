import { larger, smaller } from '@maker/rules';
import type { Address } from 'viem';
import type { Execution } from '../execution/execution.ts';
import { freeBalance } from '../ledger/ledger-entry.ts';

/**
 * Where a refund stands:
 *
 *   due ──▶ returned        its own transfer is final
 *    ├────▶ with_the_rest   its money had left with the rest of the job before it was heard of
 *    └────▶ held ──▶ released ──▶ returned   by an operator's command
 *   reported                money that no deposit explained, reported to the job service, which answers with a refund
 */
export const REFUND_STATES = ['due', 'returned', 'with_the_rest', 'held', 'released', 'reported'] as const;

/** See {@link REFUND_STATES}. */
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
const MOST_UNEXPLAINED_RETURNS = 3;

/** Whether a refund only goes round, as far as can be told: what no deposit explains came again after each return. @param refunds of the job */
export function goesRound(refund: Pick<Refund, 'to' | 'depositIds'>, refunds: readonly Refund[]): boolean {
  if (!isUnexplained(refund)) return false;
  const before = refunds.filter(
    (other) => other.state === 'returned' && other.to === refund.to && isUnexplained(other),
  );
  return before.length >= MOST_UNEXPLAINED_RETURNS;
}

function isUnexplained({ depositIds }: Pick<Refund, 'depositIds'>): boolean {
  return depositIds.every((depositId) => depositId.includes(UNEXPLAINED));
}

/**
 * Surplus that no known deposit accounts for, wei; negative while a deposit was heard of whose money is not booked yet.
 * What went with the rest of the job before its deposit was heard of is accounted for by `absorbedWei`.
 */
export function unexplainedSurplus(
  { totals, absorbedWei }: Pick<Execution, 'totals' | 'absorbedWei'>,
  refunds: readonly Refund[],
): bigint {
  const known = refunds.filter(({ state }) => state !== 'with_the_rest');
  return known.reduce((rest, { amountWei }) => rest - amountWei, totals.surplusWei - absorbedWei);
}

/**
 * What of the wallet's money belongs to refunds that are due, or that the job service is still to decide about, wei: nothing
 * else is paid from it.
 * @param refunds every refund of the job
 */
export function reservedForRefunds(
  execution: Pick<Execution, 'totals' | 'absorbedWei'>,
  refunds: readonly Refund[],
): bigint {
  const isOwed = ({ state }: Refund) => state === 'due' || state === 'reported';
  const owedWei = refunds.filter(isOwed).reduce((sum, { amountWei }) => sum + amountWei, 0n);
  const cameWei = unexplainedSurplus(
    execution,
    refunds.filter((refund) => !isOwed(refund)),
  );
  return larger(0n, smaller(owedWei, cameWei));
}

/** What of the wallet's money is the job's own, wei: neither held nor another's. @param refunds every refund of the job */
export function ownBalance(execution: Pick<Execution, 'totals' | 'absorbedWei'>, refunds: readonly Refund[]): bigint {
  return freeBalance(execution.totals) - reservedForRefunds(execution, refunds);
}

/** How the ids of transfers that send a refund begin. @param refundId absent for every refund of the job */
export function refundTransfers(jobId: string, refundId?: string): string {
  return refundId === undefined ? `${jobId}/refund/` : `${jobId}/refund/${refundId}/`;
}

/**
 * Surplus that no refund accounts for but those that are due, wei: each of them is paid from what those before it left.
 * @param refunds every refund of the job
 */
export function surplusForDue(
  execution: Pick<Execution, 'totals' | 'absorbedWei'>,
  refunds: readonly Refund[],
): bigint {
  return unexplainedSurplus(
    execution,
    refunds.filter(({ state }) => state !== 'due'),
  );
}

/**
 * Whether the money of a refund is in the wallet, and not spoken for by another: otherwise it left with the rest.
 * @param surplusWei see {@link surplusForDue} @param freeWei what the wallet holds and is not held
 */
export function isCovered({ amountWei }: Pick<Refund, 'amountWei'>, surplusWei: bigint, freeWei: bigint): boolean {
  return surplusWei >= amountWei && freeWei >= amountWei;
}
