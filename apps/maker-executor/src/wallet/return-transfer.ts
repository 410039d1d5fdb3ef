import { PLAIN_TRANSFER_GAS } from '@maker/rules';
import { exactFees, type Fees } from './fees.ts';

/** The transfer that empties a wallet. */
export interface ReturnTransfer {
  /** Wei. */
  readonly valueWei: bigint;
  readonly fees: Fees;
}

/**
 * Returns a transfer of a wallet's balance less its own gas, so that exactly 0 wei remain if the recipient is a plain account.
 * @param balanceWei wei @param gasLimit 21,000 for a plain account; the estimate for a contract
 * @returns undefined if the balance pays for no more than the gas: it stays as dust
 */
export function returnTransfer(balanceWei: bigint, gasLimit: bigint, baseFeeWei: bigint): ReturnTransfer | undefined {
  return withFees(balanceWei, gasLimit, exactFees(baseFeeWei));
}

/**
 * The most that such a transfer can move to a plain account, wei. Gas estimates use this amount.
 * @returns undefined if the balance does not pay for it
 */
export function mostTransferred(balanceWei: bigint, baseFeeWei: bigint): bigint | undefined {
  return returnTransfer(balanceWei, PLAIN_TRANSFER_GAS, baseFeeWei)?.valueWei;
}

/** The same at given fees, for a replacement of a stuck return. */
export function withFees(balanceWei: bigint, gasLimit: bigint, fees: Fees): ReturnTransfer | undefined {
  const valueWei = balanceWei - gasLimit * fees.maxFeePerGasWei;
  return valueWei > 0n ? { valueWei, fees } : undefined;
}
