import { PLAIN_TRANSFER_GAS } from '@maker/rules';
import { exactFees, type Fees } from './fees.ts';

/** The transfer that empties a wallet. */
export interface ReturnTransfer {
  /** Wei. */
  readonly valueWei: bigint;
  readonly fees: Fees;
}

/**
 * All that a wallet holds less the gas of the transfer itself, so that a plain recipient leaves it with exactly 0 wei.
 * @param balanceWei wei @param gasLimit 21,000 for a plain account; the estimate for a contract
 * @returns undefined where the balance does not pay for more than the gas: it stays as dust
 */
export function returnTransfer(balanceWei: bigint, gasLimit: bigint, baseFeeWei: bigint): ReturnTransfer | undefined {
  return withFees(balanceWei, gasLimit, exactFees(baseFeeWei));
}

/**
 * The most that such a transfer can move, to a plain account, wei: what a recipient is asked to take.
 * @returns undefined where it would not even pay for that
 */
export function mostTransferred(balanceWei: bigint, baseFeeWei: bigint): bigint | undefined {
  return returnTransfer(balanceWei, PLAIN_TRANSFER_GAS, baseFeeWei)?.valueWei;
}

/** The same at given fees: what a replacement of a stuck return moves. */
export function withFees(balanceWei: bigint, gasLimit: bigint, fees: Fees): ReturnTransfer | undefined {
  const valueWei = balanceWei - gasLimit * fees.maxFeePerGasWei;
  return valueWei > 0n ? { valueWei, fees } : undefined;
}
