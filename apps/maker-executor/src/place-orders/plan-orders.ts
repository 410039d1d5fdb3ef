import {
  estimateOrders,
  ORDER_COST_MAXIMUM_WEI,
  ORDER_COST_TARGET_WEI,
  ordersDue,
  type PauseReason,
  sizeOrder,
} from '@maker/rules';
import type { Execution } from '../execution/execution.ts';
import { spentOnOrders } from '../ledger/ledger-entry.ts';

/** A schedule that lags further behind than this goes on from now: lost time is not made up in a burst. Ms. */
const MOST_LAG_MS = 5000;

/** What the number and size of the next orders depend on. */
export interface OrderCircumstances {
  /** Timestamp of the newest block, ms: schedules run on the chain's clock. */
  readonly nowMs: number;
  /** Wei per gas. */
  readonly baseFeeWei: bigint;
  /** What an order's transaction should use. */
  readonly gasExpected: bigint;
  /** Orders signed and not yet booked: they may still cost the most that an order can. */
  readonly openOrders: number;
  /** Nonces that the mempool still takes of this wallet. */
  readonly freeNonces: number;
}

/** What trading does next. */
export type OrderPlan =
  /** Not due yet, or no free nonce. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'order'; readonly count: number; readonly tradeWei: bigint; readonly nextOrderAtMs: number }
  | { readonly kind: 'pause'; readonly reason: PauseReason }
  /** The budget does not pay for another order, and none is open. */
  | { readonly kind: 'exhausted' };

/**
 * How many orders are to be placed now, and of which size: as many as the schedule asks for, the budget pays for and
 * the mempool takes. The count of orders stays within what the visitor was shown. Source: design §§ 2.3, 2.5 and 5.
 */
export function planOrders(execution: Execution, circumstances: OrderCircumstances): OrderPlan {
  const { nowMs, openOrders, freeNonces } = circumstances;
  const remainingWei = remainingBudget(execution, openOrders);
  const remainingCount = estimateOrders(execution.depositWei).upper - execution.ordersPlaced - openOrders;
  if (remainingWei < ORDER_COST_TARGET_WEI || remainingCount <= 0) {
    return openOrders === 0 ? { kind: 'exhausted' } : { kind: 'wait' };
  }

  const dueAtMs = scheduledAt(execution, nowMs);
  const affordable = 1 + Number((remainingWei - ORDER_COST_TARGET_WEI) / ORDER_COST_MAXIMUM_WEI);
  const count = Math.min(ordersDue(dueAtMs, execution.intervalMs, nowMs, freeNonces), affordable, remainingCount);
  if (count <= 0) return { kind: 'wait' };

  const size = sizeOrder(remainingWei, circumstances.gasExpected * circumstances.baseFeeWei);
  if (size.kind !== 'order') return { kind: 'pause', reason: 'order_cost' };
  return { kind: 'order', count, tradeWei: size.tradeWei, nextOrderAtMs: dueAtMs + count * execution.intervalMs };
}

/** Whether the schedule asks for an order now. */
export function isOrderDue(execution: Execution, nowMs: number): boolean {
  return nowMs >= scheduledAt(execution, nowMs);
}

/** Budget left if every open order costs the most it can, wei; may be negative by failed orders' gas. */
function remainingBudget(execution: Execution, openOrders: number): bigint {
  return execution.orderBudgetWei - spentOnOrders(execution.totals) - BigInt(openOrders) * ORDER_COST_MAXIMUM_WEI;
}

function scheduledAt(execution: Execution, nowMs: number): number {
  const dueAtMs = execution.nextOrderAtMs ?? nowMs;
  return nowMs - dueAtMs > Math.max(MOST_LAG_MS, execution.intervalMs) ? nowMs : dueAtMs;
}
