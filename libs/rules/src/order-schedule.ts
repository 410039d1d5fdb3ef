import { ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI } from './estimate.ts';

/** What every order costs all in when nothing disturbs it, wei: the middle of the published range. */
export const ORDER_COST_TARGET_WEI = (ORDER_COST_MINIMUM_WEI + ORDER_COST_MAXIMUM_WEI) / 2n;

/** The fixed, published schedule of a job. Source: design § 2.3. */
export interface OrderSchedule {
  readonly orderCount: number;
  /** Time between two orders, ms; may be a fraction on a fast local chain. */
  readonly intervalMs: number;
}

/**
 * Divides an order budget into equal orders at equal intervals over the execution window.
 * @param orderBudgetWei wei @param executionWindowMs ms, 24 h by default in the product
 */
export function scheduleOrders(orderBudgetWei: bigint, executionWindowMs: number): OrderSchedule {
  const orderCount = Number(orderBudgetWei / ORDER_COST_TARGET_WEI);
  return { orderCount, intervalMs: orderCount === 0 ? 0 : executionWindowMs / orderCount };
}

/**
 * Orders that the schedule asks for now. After a pause or an outage the schedule goes on from where it stood:
 * the time lost is not made up in a burst beyond `mostAtOnce`.
 * @param nextOrderAtMs when the next order is due, ms @param nowMs ms
 */
export function ordersDue(nextOrderAtMs: number, intervalMs: number, nowMs: number, mostAtOnce: number): number {
  if (nowMs < nextOrderAtMs) return 0;
  if (intervalMs <= 0) return mostAtOnce;
  return Math.min(mostAtOnce, Math.floor((nowMs - nextOrderAtMs) / intervalMs) + 1);
}

/** The size of the next order, or why there is none. */
export type OrderSize =
  | { readonly kind: 'order' /** Spent in the pool, wei. */; readonly tradeWei: bigint }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'gas_too_dear' };

/**
 * Size of the next order, so that trade plus gas stays between 0.0003 and 0.0005 HYPE. An order is worth placing
 * only when at least half of its cost buys tokens; dearer gas is waited out (docs/adr/0003).
 * @param remainingBudgetWei order budget not yet spent or committed, wei
 * @param gasCostWei most that the order's gas can cost, wei
 */
export function sizeOrder(remainingBudgetWei: bigint, gasCostWei: bigint): OrderSize {
  if (remainingBudgetWei < ORDER_COST_TARGET_WEI) return { kind: 'exhausted' };
  const tradeWei = ORDER_COST_TARGET_WEI - gasCostWei;
  return tradeWei * 2n >= ORDER_COST_TARGET_WEI ? { kind: 'order', tradeWei } : { kind: 'gas_too_dear' };
}
