import { FEE_CAP_WEI } from '@maker/rules';
import { currentAttempt, type TransactionRecord } from '../transaction/transaction.ts';
import { exactFees, type Fees, raisedFees, transferFees } from './fees.ts';
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
  /** A node refused its fees as too low, whatever the base fee. */
  readonly refusedAsUnderpriced: boolean;
  /** Nobody waits for it any more: of an order whose time is over, or whose job is cancelled. */
  readonly isUnwanted: boolean;
}

/**
 * Dearer fees for a stuck transaction: when the base fee has risen above what it can pay, or a node refused it as too
 * cheap; anything else is cured by sending the same bytes again. At least 12.5 % more, within the cap. An order never
 * becomes dearer: its fees are the most that its published cost allows, so it waits for the base fee to fall, and once
 * nobody waits for it any more its nonce is used up by a transaction that does nothing. Source: design § 5.
 * @returns undefined where the same bytes are to be sent again
 */
export function replacementOf(transaction: TransactionRecord, stuck: Stuck): Replacement | undefined {
  const { baseFeeWei } = stuck;
  const attempt = currentAttempt(transaction);
  if (baseFeeWei <= attempt.maxFeePerGasWei && !stuck.refusedAsUnderpriced) return undefined;
  if (transaction.purpose === 'order' && !attempt.isVoid && !stuck.isUnwanted) return undefined;
  const fresh = transaction.purpose === 'return' ? exactFees(baseFeeWei) : transferFees(baseFeeWei);
  const fees = dearer(fresh, raisedFees(attempt));
  if (fees.maxFeePerGasWei > FEE_CAP_WEI || fees.maxFeePerGasWei < baseFeeWei) return undefined;
  if (transaction.purpose === 'order') return { ...fees, valueWei: 0n, isVoid: true };
  if (transaction.purpose !== 'return') return { ...fees, valueWei: attempt.valueWei };

  const gasLimit = BigInt(transaction.gasLimit);
  const emptied = withFees(attempt.valueWei + gasLimit * attempt.maxFeePerGasWei, gasLimit, fees);
  return emptied && { ...fees, valueWei: emptied.valueWei };
}

function dearer(one: Fees, other: Fees): Fees {
  return {
    maxFeePerGasWei: larger(one.maxFeePerGasWei, other.maxFeePerGasWei),
    maxPriorityFeePerGasWei: larger(one.maxPriorityFeePerGasWei, other.maxPriorityFeePerGasWei),
  };
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
