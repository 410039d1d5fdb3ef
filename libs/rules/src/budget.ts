import { smaller, WEI_PER_HYPE } from './amounts.ts';

/** Service fee as a share of a deposit. Source: specification § 9 'Terms of Service'. */
export const FEE_PERCENT = 30n;

/** Part of every deposit for gas, in wei; the unspent rest is returned. Source: design § 4a. */
export const GAS_RESERVE_WEI = WEI_PER_HYPE / 10n;

/** Largest deposit that the service executes, in wei; the excess is returned. Source: specification § 9. */
export const MAXIMUM_PAYMENT_WEI = 1000n * WEI_PER_HYPE;

/** Smallest payment in wei. Source: specification § 9. */
export const MINIMUM_PAYMENT_WEI = WEI_PER_HYPE / 4n;

/** Minimum where the configured one is not positive, in wei. Source: specification § 3. */
export const FALLBACK_MINIMUM_PAYMENT_WEI = WEI_PER_HYPE / 100n;

/** The configured minimum, or the fallback where it is not positive. Source: specification § 3. @returns wei */
export function minimumPayment(configuredWei: bigint): bigint {
  return configuredWei > 0n ? configuredWei : FALLBACK_MINIMUM_PAYMENT_WEI;
}

/** The parts of one deposit; the three parts and the excess sum to the deposit. All wei. */
export interface DepositSplit {
  readonly feeWei: bigint;
  /** Pays for orders: the trades, and their gas. */
  readonly orderBudgetWei: bigint;
  /** Pays for delivery and return; the unspent rest is returned. */
  readonly reserveWei: bigint;
  /** The part above the maximum payment, which is returned to the payer. */
  readonly excessWei: bigint;
}

/**
 * Divides a deposit into fee (30 %), order budget (`deposit × 0.7 − 0.1 HYPE`) and gas reserve.
 * Source: design § 4; the fee is rounded down to the wei, in the payer's favour.
 * @param depositWei sum of all deposits before the deadline, wei
 */
export function splitDeposit(depositWei: bigint): DepositSplit {
  const executedWei = smaller(depositWei, MAXIMUM_PAYMENT_WEI);
  const feeWei = (executedWei * FEE_PERCENT) / 100n;
  const afterFeeWei = executedWei - feeWei;
  const reserveWei = smaller(afterFeeWei, GAS_RESERVE_WEI);
  return {
    feeWei,
    orderBudgetWei: afterFeeWei - reserveWei,
    reserveWei,
    excessWei: depositWei - executedWei,
  };
}
