import { withFees } from '../return-rest/return-amount.ts';
import { exactFees, FEE_CAP_WEI, type Fees, raisedFees, transferFees } from './fees.ts';
import { currentAttempt, type TransactionRecord } from './transaction.ts';

/** Blocks without inclusion after which a transaction counts as stuck: its receipt is asked for and its bytes are sent again. */
export const STUCK_AFTER_BLOCKS = 4;

/** What may be signed at a stuck transaction's nonce in its place. Wei. */
export interface Replacement extends Fees {
  readonly valueWei: bigint;
}

/**
 * Dearer fees for a stuck transaction: only when the base fee has risen above what it can pay, since anything else is
 * cured by sending the same bytes again. At least 12.5 % more, within the cap. An order is never replaced: its fees
 * are the most that its published cost allows, so it waits for the base fee to fall. Source: design § 5.
 * @returns undefined where the same bytes are to be sent again
 */
export function replacementOf(transaction: TransactionRecord, baseFeeWei: bigint): Replacement | undefined {
  const attempt = currentAttempt(transaction);
  if (transaction.purpose === 'order' || baseFeeWei <= attempt.maxFeePerGasWei) return undefined;
  const fresh = transaction.purpose === 'return' ? exactFees(baseFeeWei) : transferFees(baseFeeWei);
  const fees = dearer(fresh, raisedFees(attempt));
  if (fees.maxFeePerGasWei > FEE_CAP_WEI || fees.maxFeePerGasWei < baseFeeWei) return undefined;
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
