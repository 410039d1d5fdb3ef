import {
  currentAttempt,
  type Execution,
  gasPaid,
  type Order,
  type TransactionRecord,
  UNCONFIRMED_STATES,
} from '@maker/execution-records';
import { nextOrder, type OrderCost, type OrderFunds, type PauseReason, slotsOf, splitDeposit } from '@maker/rules';

/** A schedule that lags further behind than this goes on from now: lost time is not made up in a burst. Ms. */
const MOST_LAG_MS = 5000;
/** Between two small blocks. Source: hyperevm § 1. */
const BLOCK_MS = 1000;

/** Reverted orders slow a job down, to one order in this time at most, ms: a token may ask for a while between two purchases. */
const MOST_GAP_MS = 120_000;
/** Reverts of fewer orders than one in so many slow nothing down. */
const ORDERS_A_REVERT = 10;

/** An order as the schedule asks for it. */
export interface PlannedOrder {
  /** To be spent in the pool, wei. */
  readonly tradeWei: bigint;
  /** Standard orders that it stands for. */
  readonly merged: number;
}

/** An order that bought nothing, and what it was to spend. */
export type UnfilledOrder = Pick<Order, 'number' | 'tradeWei'>;

/** What the number and size of the next orders depend on. */
export interface OrderCircumstances {
  /** Timestamp of the newest block, ms: schedules run on the chain's clock. */
  readonly nowMs: number;
  readonly cost: OrderCost;
  /** Transactions of the wallet that are not final: they may still cost the most that they can. */
  readonly open: readonly TransactionRecord[];
  /** Unconfirmed nonces that the mempool takes of this wallet. */
  readonly mostInFlight: number;
  /** Orders that were not filled and are to be tried once more, oldest first. */
  readonly unfilled: readonly UnfilledOrder[];
}

/** What trading does next. */
export type OrderPlan =
  /** Not due yet, or no free nonce. */
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'orders';
      readonly orders: readonly [PlannedOrder, ...PlannedOrder[]];
      readonly nextOrderAtMs: number;
      /** Number of the order that was not filled, where this tries it once more. */
      readonly retryOf?: number;
    }
  | { readonly kind: 'pause'; readonly reason: PauseReason }
  /** What is left pays for no order that is worth its gas, and nothing is open. */
  | { readonly kind: 'spent' };

/**
 * Which orders are to be placed now: those that the schedule asks for, the money pays for and the mempool takes. An order
 * that was not filled is tried once more; as long as the last one was not filled, one is placed at a time, and after reverts the
 * pace backs off.
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
  // Each batch costs a quote and a write: a few free nonces wait for more of them, and a block still finds half of them taken.
  if (orders.length === free && dueAtMs <= nowMs && free * 2 < mostInFlight) return { kind: 'wait' };
  const [earliest, ...later] = orders;
  return earliest ? { kind: 'orders', orders: [earliest, ...later], nextOrderAtMs: dueAtMs } : { kind: 'wait' };
}

/** What the job has for orders, and what is gone of it if every open transaction costs the most that it can. */
function fundsOf({ depositWei, orderBudgetWei, totals }: Execution, open: readonly TransactionRecord[]): OrderFunds {
  let tradedWei = totals.orderWei;
  let gasWei = gasPaid(totals);
  for (const transaction of open) {
    const { inclusion, purpose, gasLimit } = transaction;
    const { valueWei, maxFeePerGasWei } = currentAttempt(transaction);
    // Also of one that a host says was reverted: others may say that it was not.
    if (purpose === 'order') tradedWei += valueWei;
    gasWei += inclusion?.gasWei ?? BigInt(gasLimit) * maxFeePerGasWei;
  }
  return { orderBudgetWei, reserveWei: splitDeposit(depositWei).reserveWei, tradedWei, gasWei };
}

/**
 * When the next order is due. What was not filled gives its slots back: it bought nothing in them, and gas may merge more or fewer into what
 * takes its place. After a pause the schedule goes on from now, with what falls due within a block.
 */
function dueAt({ nextOrderAtMs, plan }: Execution, nowMs: number, unfilled: readonly UnfilledOrder[]): number {
  const { slotMs } = plan;
  if (nextOrderAtMs === null) return nowMs;
  const dueAtMs = nextOrderAtMs - slotsOfAll(unfilled) * slotMs;
  if (nowMs - dueAtMs <= Math.max(MOST_LAG_MS, slotMs)) return dueAtMs;
  return nowMs - Math.max(0, BLOCK_MS - slotMs);
}

/**
 * When the next order may come after reverts, ms; 0 where nothing slows the job. Each revert in a row doubles the pace of the
 * schedule, and so does a share of reverts that stays high although some orders are filled.
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
