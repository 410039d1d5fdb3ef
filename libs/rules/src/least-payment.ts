import { larger, smaller } from './amounts.ts';
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

/** Share of an amount that starts a job, percent: exchanges often take their fee out of a withdrawal. */
const STARTING_PERCENT = 99n;

/**
 * The least sum that counts as an amount: 99 % of it, rounded up to the wei, and never less than one order needs. It applies to a
 * job's amount, and to the minimum where the holder of the stop secret starts with less. Source: docs/adr/0148.
 * @param amountWei of the job, or the minimum of the service, wei @returns wei, at most the amount
 */
export function leastStartingWei(amountWei: bigint): bigint {
  const share = (amountWei * STARTING_PERCENT + 99n) / 100n;
  return smaller(amountWei, larger(share, LEAST_USEFUL_PAYMENT_WEI));
}
