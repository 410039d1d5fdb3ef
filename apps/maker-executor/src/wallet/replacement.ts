import { type Attempt, currentAttempt, type TransactionRecord } from '@maker/execution-records';
import { FEE_CAP_WEI, larger, PLAIN_TRANSFER_GAS, smaller } from '@maker/rules';
import { exactFees, type Fees, mostOrderFee, orderFees, raisedFees, starvedTip, transferFees } from './fees.ts';
import { withFees } from './return-transfer.ts';

/** Blocks without inclusion after which a transaction counts as stuck: the executor asks for its receipt and sends it again. */
export const STUCK_AFTER_BLOCKS = 4;

/** Replacement at a stuck transaction's nonce. Wei. */
export interface Replacement extends Fees {
  readonly valueWei: bigint;
  /** The replacement does nothing but use up the nonce. */
  readonly isVoid?: true;
}

/** Conditions that decide whether a transaction is replaced. */
export interface Stuck {
  /** Wei per gas. */
  readonly baseFeeWei: bigint;
  /** Present tip, wei per gas. */
  readonly tipWei: bigint;
  /** It waits too long in a mempool: if it pays the base fee, others offer a higher tip. */
  readonly isStarved: boolean;
  /** A node refused its fees as too low, for any base fee. */
  readonly refusedAsUnderpriced: boolean;
  /** An order that expired, or whose job is cancelled. */
  readonly isUnwanted: boolean;
  /** The most that it may take from its wallet, gas included, wei; undefined if not known yet. */
  readonly mostWei?: bigint | undefined;
}

/**
 * Returns a replacement with higher fees for a stuck transaction: if the base fee is above its limit, if it waits although it
 * pays the base fee, if a node refused its fees, or if its wallet can no longer pay for it. Fees rise by at least 12.5 %, up to
 * the cap. An order's fees rise only while it is worth its gas; its minimum out and its expiry stay. If an order is unwanted or
 * its wallet cannot pay for it, an empty transfer uses up its nonce. A return or a refund moves the remaining money.
 * Source: design § 5, docs/adr/0026, docs/adr/0079.
 * @returns undefined if the same bytes are to be sent again
 */
export function replacementOf(transaction: TransactionRecord, stuck: Stuck): Replacement | undefined {
  const { baseFeeWei, mostWei } = stuck;
  const attempt = currentAttempt(transaction);
  const isOrder = transaction.purpose === 'order';
  const isUnpayable = mostWei !== undefined && costOf(transaction, attempt) > mostWei;
  const isVoid = attempt.isVoid === true || (isOrder && (stuck.isUnwanted || isUnpayable));
  const becomesVoid = isVoid && !attempt.isVoid;
  const isMinable = baseFeeWei <= attempt.maxFeePerGasWei && !stuck.isStarved && !stuck.refusedAsUnderpriced;
  if (isMinable && !becomesVoid && !isUnpayable) return undefined;
  const tipWei = stuck.isStarved ? starvedTip(baseFeeWei, stuck.tipWei, attempt.maxPriorityFeePerGasWei) : stuck.tipWei;
  if (isOrder && !isVoid) return raisedOrder(transaction, baseFeeWei, tipWei);
  if (transaction.purpose === 'return' || transaction.purpose === 'refund')
    return emptying(transaction, { ...stuck, tipWei }, isUnpayable);
  const gas = isVoid ? PLAIN_TRANSFER_GAS : BigInt(transaction.gasLimit);
  const valueWei = isVoid ? 0n : attempt.valueWei;
  const raised = raisedFees(attempt);
  const mostFeeWei = mostWei === undefined ? FEE_CAP_WEI : smaller(FEE_CAP_WEI, (mostWei - valueWei) / gas);
  const fees = within(
    higherFees(transferFees(baseFeeWei, tipWei), raised),
    larger(raised.maxFeePerGasWei, baseFeeWei),
    mostFeeWei,
  );
  return fees && { ...fees, valueWei, ...(isVoid && { isVoid }) };
}

/** Most that an attempt may take from its wallet, wei. */
function costOf({ gasLimit }: TransactionRecord, { valueWei, maxFeePerGasWei, isVoid }: Attempt): bigint {
  return valueWei + (isVoid ? PLAIN_TRANSFER_GAS : BigInt(gasLimit)) * maxFeePerGasWei;
}

/** Replaces a return or a refund. Its amount pays the new fees; if the wallet cannot pay it, the remaining money does. */
function emptying(
  transaction: TransactionRecord,
  { baseFeeWei, tipWei, mostWei }: Stuck,
  isUnpayable: boolean,
): Replacement | undefined {
  const attempt = currentAttempt(transaction);
  const gasLimit = BigInt(transaction.gasLimit);
  const { maxFeePerGasWei: raisedWei } = raisedFees(attempt);
  const costWei = costOf(transaction, attempt);
  const totalWei = isUnpayable && mostWei !== undefined ? mostWei : costWei;
  const fees = higherFees(exactFees(baseFeeWei + tipWei), raisedFees(attempt));
  if (fees.maxFeePerGasWei > FEE_CAP_WEI) return undefined;
  const emptied = withFees(totalWei, gasLimit, fees);
  if (emptied) return { ...fees, valueWei: emptied.valueWei };
  // No money is left to move, but later transactions wait for its nonce: the last money pays the gas.
  const priceWei = totalWei / gasLimit;
  const isEnough = isUnpayable && priceWei >= larger(raisedWei, baseFeeWei);
  return isEnough ? { valueWei: 0n, maxFeePerGasWei: priceWei, maxPriorityFeePerGasWei: priceWei } : undefined;
}

/** Replaces an order by the same one with the present fees, while it is worth its gas. */
function raisedOrder(transaction: TransactionRecord, baseFeeWei: bigint, tipWei: bigint): Replacement | undefined {
  const attempt = currentAttempt(transaction);
  const [first = attempt] = transaction.attempts;
  const mostFeeWei = mostOrderFee(attempt.valueWei, BigInt(transaction.gasLimit), first.maxFeePerGasWei);
  const raised = raisedFees(attempt);
  const wanted = higherFees(orderFees(baseFeeWei, tipWei), raised);
  const fees = within(wanted, larger(raised.maxFeePerGasWei, baseFeeWei), mostFeeWei);
  return fees && { ...fees, valueWei: attempt.valueWei };
}

/** Fees up to a limit. @returns undefined if the limit is below the least fee */
function within(wanted: Fees, leastWei: bigint, mostWei: bigint): Fees | undefined {
  const maxFeePerGasWei = smaller(wanted.maxFeePerGasWei, mostWei);
  if (maxFeePerGasWei < leastWei) return undefined;
  return { maxFeePerGasWei, maxPriorityFeePerGasWei: smaller(wanted.maxPriorityFeePerGasWei, maxFeePerGasWei) };
}

function higherFees(one: Fees, other: Fees): Fees {
  return {
    maxFeePerGasWei: larger(one.maxFeePerGasWei, other.maxFeePerGasWei),
    maxPriorityFeePerGasWei: larger(one.maxPriorityFeePerGasWei, other.maxPriorityFeePerGasWei),
  };
}
