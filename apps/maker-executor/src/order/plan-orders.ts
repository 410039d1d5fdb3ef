import {
  currentAttempt,
  type Execution,
  gasPaid,
  type Order,
  type TransactionRecord,
  UNCONFIRMED_STATES,
} from '@maker/execution-records';
import { nextOrder, type OrderCost, type OrderFunds, type PauseReason, slotsOf, splitDeposit } from '@maker/rules';

/** A schedule that lags further behind continues from now, so that lost time causes no burst of orders. Ms. */
const MOST_LAG_MS = 5000;
/** Time between two small blocks, ms. Source: hyperevm § 1. */
const BLOCK_MS = 1000;

/** Longest pause between orders that reverts can cause, ms: a token may require a time between two purchases. */
const MOST_GAP_MS = 120_000;
/** Reverted orders slow a job down if at least about one order in this many reverts. */
const ORDERS_A_REVERT = 10;

/** An order that is due by the schedule. */
export interface PlannedOrder {
  /** Amount to spend in the pool, wei. */
  readonly tradeWei: bigint;
  /** Standard orders that it stands for. */
  readonly merged: number;
}

/** An order that bought nothing, with the amount that it should have spent. */
export type UnfilledOrder = Pick<Order, 'number' | 'tradeWei'>;

/** Inputs for the number and size of the next orders. */
export interface OrderCircumstances {
  /** Timestamp of the newest block, ms: schedules run on the chain's clock. */
  readonly nowMs: number;
  readonly cost: OrderCost;
  /** Transactions of the wallet that are not final. Each may still cost its maximum. */
  readonly open: readonly TransactionRecord[];
  /** Most unconfirmed nonces that the mempool accepts from this wallet. */
  readonly mostInFlight: number;
  /** Unfilled orders to retry, oldest first. */
  readonly unfilled: readonly UnfilledOrder[];
}

/** Next step of trading. */
export type OrderPlan =
  /** No order is due, or no nonce is free. */
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'orders';
      readonly orders: readonly [PlannedOrder, ...PlannedOrder[]];
      readonly nextOrderAtMs: number;
      /** Number of the unfilled order that this order retries. */
      readonly retryOf?: number;
    }
  | { readonly kind: 'pause'; readonly reason: PauseReason }
  /** The remaining money pays for no order that is worth its gas, and no transaction is open. */
  | { readonly kind: 'spent' };

/**
 * Returns the orders to place now, limited by the schedule, the money and the mempool. An unfilled order is retried once. While
 * the last order is unfilled, one order is placed at a time. Reverts slow the pace down.
 * Source: design §§ 2.3, 4a and 5.
 */
export function planOrders(execution: Execution, circumstances: OrderCircumstances): OrderPlan {
  const { nowMs, cost, open, mostInFlight, unfilled } = circumstances;
  let funds = fundsOf(execution, open);
  const first = nextOrder(funds, cost);
  if (first.kind === 'gas_guardrail') return { kind: 'pause', reason: 'gas_guardrail' };
  if (first.kind === 'impact_cap') return { kind: 'pause', reason: 'thin_liquidity' };
  if (first.kind === 'spent') return { kind: open.length === 0 ? 'spent' : 'wait' };

  const inFlight = open.filter(({ state }) => UNCONFIRMED_STATES.includes(state)).length;
  const isFaltering = execution.consecutiveFailures > 0;
  if (inFlight >= (isFaltering ? 1 : mostInFlight)) return { kind: 'wait' };
  const { slotMs } = execution.plan;
  const [retried, ...laterRetries] = unfilled;
  const slowedMs = slowedUntil(execution);
  let dueAtMs = Math.max(dueAt(execution, nowMs, unfilled), slowedMs);
  if (retried) {
    if (dueAtMs > nowMs) return { kind: 'wait' };
    const nextOrderAtMs = dueAtMs + (first.merged + slotsOfAll(laterRetries)) * slotMs;
    return { kind: 'orders', orders: [first], nextOrderAtMs, retryOf: retried.number };
  }

  const orders: PlannedOrder[] = [];
  const free = mostInFlight - inFlight;
  const most = isFaltering || slowedMs > 0 ? 1 : free;
  while (orders.length < most && dueAtMs <= nowMs) {
    const next = nextOrder(funds, cost);
    if (next.kind !== 'order') break;
    orders.push(next);
    funds = {
      ...funds,
      tradedWei: funds.tradedWei + next.tradeWei,
      gasWei: funds.gasWei + cost.gas * cost.gasPriceWei,
    };
    dueAtMs += next.merged * slotMs;
  }
  // Each batch costs a quote and a write. So it waits for half of the nonces; orders with the other half fill the next block.
  if (orders.length === free && dueAtMs <= nowMs && free * 2 < mostInFlight) return { kind: 'wait' };
  const [earliest, ...later] = orders;
  return earliest ? { kind: 'orders', orders: [earliest, ...later], nextOrderAtMs: dueAtMs } : { kind: 'wait' };
}

/** Returns the job's money for orders, and how much of it is spent if every open transaction costs its maximum. */
function fundsOf({ depositWei, orderBudgetWei, totals }: Execution, open: readonly TransactionRecord[]): OrderFunds {
  let tradedWei = totals.orderWei;
  let gasWei = gasPaid(totals);
  for (const transaction of open) {
    const { inclusion, purpose, gasLimit } = transaction;
    const { valueWei, maxFeePerGasWei } = currentAttempt(transaction);
    // This includes an order that one host reports as reverted: others may report a success.
    if (purpose === 'order') tradedWei += valueWei;
    gasWei += inclusion?.gasWei ?? BigInt(gasLimit) * maxFeePerGasWei;
  }
  return { orderBudgetWei, reserveWei: splitDeposit(depositWei).reserveWei, tradedWei, gasWei };
}

/**
 * Time when the next order is due, ms. Unfilled orders give their slots back, because a retry may merge more or fewer orders. After
 * a pause the schedule continues from now, with the orders that are due within a block.
 */
function dueAt({ nextOrderAtMs, plan }: Execution, nowMs: number, unfilled: readonly UnfilledOrder[]): number {
  const { slotMs } = plan;
  if (nextOrderAtMs === null) return nowMs;
  const dueAtMs = nextOrderAtMs - slotsOfAll(unfilled) * slotMs;
  if (nowMs - dueAtMs <= Math.max(MOST_LAG_MS, slotMs)) return dueAtMs;
  return nowMs - Math.max(0, BLOCK_MS - slotMs);
}

/**
 * Time before which no order may follow after reverts, ms; 0 if nothing slows the job. Each revert in a row doubles the time between
 * orders. A high share of reverts lengthens it too, even if some orders are filled.
 */
function slowedUntil({ nextOrderAtMs, plan: { slotMs }, ...counts }: Execution): number {
  const { consecutiveFailures, ordersFailed, ordersPlaced } = counts;
  const share = Math.floor(Math.log2(1 + (ORDERS_A_REVERT * ordersFailed) / (ordersPlaced + 1)));
  const gapMs = Math.min(MOST_GAP_MS, slotMs * 2 ** Math.max(consecutiveFailures, share));
  return nextOrderAtMs === null || gapMs <= slotMs ? 0 : nextOrderAtMs - slotMs + gapMs;
}

function slotsOfAll(orders: readonly UnfilledOrder[]): number {
  return orders.reduce((sum, { tradeWei }) => sum + slotsOf(tradeWei), 0);
}
