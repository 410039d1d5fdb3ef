import { larger } from './amounts.ts';
import { FEE_PERCENT, GAS_RESERVE_WEI, minimumPayment } from './budget.ts';
import { STANDARD_ORDER_WEI } from './order-size.ts';

/**
 * The least payment of which one standard order is left after fee and gas reserve: (0.1 + 0.0004) / 0.7 HYPE, rounded
 * up to the wei. Less would lose its fee and buy nothing. Source: design § 4a.
 */
export const LEAST_USEFUL_PAYMENT_WEI =
  ((GAS_RESERVE_WEI + STANDARD_ORDER_WEI - 1n) * 100n) / (100n - FEE_PERCENT) + 1n;

/**
 * What a job must be paid at least: the configured minimum (specification § 3), and never less than buys something.
 * @param configuredWei wei; not positive is the fallback @returns wei
 */
export function leastPayment(configuredWei: bigint): bigint {
  return larger(minimumPayment(configuredWei), LEAST_USEFUL_PAYMENT_WEI);
}
