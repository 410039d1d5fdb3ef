import { type Attempt, currentAttempt, type TransactionRecord } from '@maker/execution-records';
import { FEE_CAP_WEI, larger, PLAIN_TRANSFER_GAS, smaller } from '@maker/rules';
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
  /** The most that it may take from its wallet, gas included, wei; undefined where that is not known yet. */
  readonly mostWei?: bigint | undefined;
}

/**
 * Dearer fees for a stuck transaction: when the base fee has risen above what it can pay, when it waits although it pays it,
 * when a node refused it as too cheap, or when its wallet cannot pay for it any more; anything else is cured by sending the
 * same bytes again. At least 12.5 % more, within the cap. An order becomes dearer only as far as it is worth it, and its
 * minimum and its time stay as they were; once nobody waits for it, or its wallet cannot pay it, its nonce is used up by a
 * transaction that does nothing. A return or a refund moves what is left. Source: design § 5, docs/adr/0026, docs/adr/0079.
 * @returns undefined where the same bytes are to be sent again
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
  if (isOrder && !isVoid) return dearerOrder(transaction, baseFeeWei, tipWei);
  if (transaction.purpose === 'return' || transaction.purpose === 'refund')
    return emptying(transaction, { ...stuck, tipWei }, isUnpayable);
  const gas = isVoid ? PLAIN_TRANSFER_GAS : BigInt(transaction.gasLimit);
  const valueWei = isVoid ? 0n : attempt.valueWei;
  const raised = raisedFees(attempt);
  const mostFeeWei = mostWei === undefined ? FEE_CAP_WEI : smaller(FEE_CAP_WEI, (mostWei - valueWei) / gas);
  const fees = within(
    dearer(transferFees(baseFeeWei, tipWei), raised),
    larger(raised.maxFeePerGasWei, baseFeeWei),
    mostFeeWei,
  );
  return fees && { ...fees, valueWei, ...(isVoid && { isVoid }) };
}

/** What an attempt may take from its wallet, wei. */
function costOf({ gasLimit }: TransactionRecord, { valueWei, maxFeePerGasWei, isVoid }: Attempt): bigint {
  return valueWei + (isVoid ? PLAIN_TRANSFER_GAS : BigInt(gasLimit)) * maxFeePerGasWei;
}

/** A return or a refund at other fees, which come out of what it moves; of one that cannot be paid, out of what is left. */
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
  const fees = dearer(exactFees(baseFeeWei + tipWei), raisedFees(attempt));
  if (fees.maxFeePerGasWei > FEE_CAP_WEI) return undefined;
  const emptied = withFees(totalWei, gasLimit, fees);
  if (emptied) return { ...fees, valueWei: emptied.valueWei };
  // Nothing is left to move, and later transactions wait for its nonce: the last of the money pays for that.
  const priceWei = totalWei / gasLimit;
  const isEnough = isUnpayable && priceWei >= larger(raisedWei, baseFeeWei);
  return isEnough ? { valueWei: 0n, maxFeePerGasWei: priceWei, maxPriorityFeePerGasWei: priceWei } : undefined;
}

/** The same order at a fee that the base fee asks for now, while it is worth its gas. */
function dearerOrder(transaction: TransactionRecord, baseFeeWei: bigint, tipWei: bigint): Replacement | undefined {
  const attempt = currentAttempt(transaction);
  const [first = attempt] = transaction.attempts;
  const mostFeeWei = mostOrderFee(attempt.valueWei, BigInt(transaction.gasLimit), first.maxFeePerGasWei);
  const raised = raisedFees(attempt);
  const wanted = dearer(orderFees(baseFeeWei, tipWei), raised);
  const fees = within(wanted, larger(raised.maxFeePerGasWei, baseFeeWei), mostFeeWei);
  return fees && { ...fees, valueWei: attempt.valueWei };
}

/** Fees up to a limit. @returns undefined where that is less than the least that is needed */
function within(wanted: Fees, leastWei: bigint, mostWei: bigint): Fees | undefined {
  const maxFeePerGasWei = smaller(wanted.maxFeePerGasWei, mostWei);
  if (maxFeePerGasWei < leastWei) return undefined;
  return { maxFeePerGasWei, maxPriorityFeePerGasWei: smaller(wanted.maxPriorityFeePerGasWei, maxFeePerGasWei) };
}

function dearer(one: Fees, other: Fees): Fees {
  return {
    maxFeePerGasWei: larger(one.maxFeePerGasWei, other.maxFeePerGasWei),
    maxPriorityFeePerGasWei: larger(one.maxPriorityFeePerGasWei, other.maxPriorityFeePerGasWei),
  };
}
