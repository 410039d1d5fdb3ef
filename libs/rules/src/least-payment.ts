import { larger } from './amounts.ts';
import { FEE_PERCENT, GAS_RESERVE_WEI, minimumPayment } from './budget.ts';
import { STANDARD_ORDER_WEI } from './order-size.ts';

/**
 * The least payment that leaves one standard order after fee and gas reserve: (0.1 + 0.0004) / 0.7 HYPE, rounded
 * up to the wei. A smaller one would lose its fee and buy nothing. Source: design § 4a.
 */
export const LEAST_USEFUL_PAYMENT_WEI =
  ((GAS_RESERVE_WEI + STANDARD_ORDER_WEI - 1n) * 100n) / (100n - FEE_PERCENT) + 1n;

/**
 * The least payment of a job: the configured minimum (specification § 3), and never less than one order needs.
 * @param configuredWei wei; a value that is not positive means the fallback @returns wei
 */
export function leastPayment(configuredWei: bigint): bigint {
  return larger(minimumPayment(configuredWei), LEAST_USEFUL_PAYMENT_WEI);
}
