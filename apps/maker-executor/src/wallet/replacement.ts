import { currentAttempt, type TransactionRecord } from '@maker/execution-records';
import { FEE_CAP_WEI, larger, smaller } from '@maker/rules';
import { exactFees, type Fees, mostOrderFee, orderFees, raisedFees, starvedTip, transferFees } from './fees.ts';
import { withFees } from './return-transfer.ts';

/** Blocks without inclusion after which a transaction counts as stuck: its receipt is asked for and its bytes are sent again. */
export const STUCK_AFTER_BLOCKS = 4;

/** What may be signed at a stuck transaction's nonce in its place. Wei. */
export interface Replacement extends Fees {
  readonly valueWei: bigint;
  /** Nothing is done in its place: the nonce is only used up. */
  readonly isVoid?: true;
}

/** What decides whether a transaction is replaced. */
export interface Stuck {
  /** Wei per gas. */
  readonly baseFeeWei: bigint;
  /** Wei per gas that are worth offering on top now. */
  readonly tipWei: bigint;
  /** It waits in a mempool for longer than it should: where it pays the base fee, others offer more. */
  readonly isStarved: boolean;
  /** A node refused its fees as too low, whatever the base fee. */
  readonly refusedAsUnderpriced: boolean;
  /** Nobody waits for it any more: of an order whose time is over, or whose job is cancelled. */
  readonly isUnwanted: boolean;
}

/**
 * Dearer fees for a stuck transaction: when the base fee has risen above what it can pay, when it waits although it pays it, or
 * when a node refused it as too cheap; anything else is cured by sending the same bytes again. At least 12.5 % more, within the cap. An order becomes dearer
 * only as far as it is worth it, and its minimum and its time stay as they were; once nobody waits for it any more its nonce is
 * used up by a transaction that does nothing. Source: design § 5, docs/adr/0026.
 * @returns undefined where the same bytes are to be sent again
 */
export function replacementOf(transaction: TransactionRecord, stuck: Stuck): Replacement | undefined {
  const { baseFeeWei } = stuck;
  const attempt = currentAttempt(transaction);
  const isOrder = transaction.purpose === 'order';
  const isVoid = attempt.isVoid === true || (isOrder && stuck.isUnwanted);
  const becomesVoid = isVoid && !attempt.isVoid;
  if (baseFeeWei <= attempt.maxFeePerGasWei && !stuck.isStarved && !stuck.refusedAsUnderpriced && !becomesVoid)
    return undefined;
  const tipWei = stuck.isStarved ? starvedTip(baseFeeWei, stuck.tipWei, attempt.maxPriorityFeePerGasWei) : stuck.tipWei;
  if (isOrder && !isVoid) return dearerOrder(transaction, baseFeeWei, tipWei);
  const emptiesMoney = transaction.purpose === 'return' || transaction.purpose === 'refund';
  const fresh = emptiesMoney ? exactFees(baseFeeWei + tipWei) : transferFees(baseFeeWei, tipWei);
  const fees = dearer(fresh, raisedFees(attempt));
  if (fees.maxFeePerGasWei > FEE_CAP_WEI || fees.maxFeePerGasWei < baseFeeWei) return undefined;
  if (isVoid) return { ...fees, valueWei: 0n, isVoid: true };
  if (!emptiesMoney) return { ...fees, valueWei: attempt.valueWei };

  const gasLimit = BigInt(transaction.gasLimit);
  const emptied = withFees(attempt.valueWei + gasLimit * attempt.maxFeePerGasWei, gasLimit, fees);
  return emptied && { ...fees, valueWei: emptied.valueWei };
}

/** The same order at a fee that the base fee asks for now, while it is worth its gas. */
function dearerOrder(transaction: TransactionRecord, baseFeeWei: bigint, tipWei: bigint): Replacement | undefined {
  const attempt = currentAttempt(transaction);
  const [first = attempt] = transaction.attempts;
  const mostWei = mostOrderFee(attempt.valueWei, BigInt(transaction.gasLimit), first.maxFeePerGasWei);
  const raised = raisedFees(attempt);
  const wanted = dearer(orderFees(baseFeeWei, tipWei), raised);
  const maxFeePerGasWei = smaller(wanted.maxFeePerGasWei, mostWei);
  const maxPriorityFeePerGasWei = smaller(wanted.maxPriorityFeePerGasWei, maxFeePerGasWei);
  const isEnough = maxFeePerGasWei >= baseFeeWei && maxFeePerGasWei >= raised.maxFeePerGasWei;
  return isEnough ? { maxFeePerGasWei, maxPriorityFeePerGasWei, valueWei: attempt.valueWei } : undefined;
}

function dearer(one: Fees, other: Fees): Fees {
  return {
    maxFeePerGasWei: larger(one.maxFeePerGasWei, other.maxFeePerGasWei),
    maxPriorityFeePerGasWei: larger(one.maxPriorityFeePerGasWei, other.maxPriorityFeePerGasWei),
  };
}
