import { larger, smaller } from './amounts.ts';
import { ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI } from './estimate.ts';
import { FEE_CAP_WEI } from './fees.ts';
import { exceedsGasGuardrail } from './guardrails.ts';

/** Amount of a standard order in the pool, wei: the middle of the estimate's 0.0003 and 0.0005 HYPE. Source: design § 4a. */
export const STANDARD_ORDER_WEI = (ORDER_COST_MINIMUM_WEI + ORDER_COST_MAXIMUM_WEI) / 2n;

/** Most standard orders in one merged order. Source: design § 4a. */
export const MOST_MERGED = 16;

/** Largest amount of any order in the pool, wei. */
export const LARGEST_ORDER_WEI = BigInt(MOST_MERGED) * STANDARD_ORDER_WEI;

/** Most gas of delivery and return; a plain token's delivery and a plain transfer use a third of it. */
const ENDING_GAS = 300_000n;

/** Part of the gas reserve that no order may use, wei: delivery and return at the highest fee that the service signs. */
export const ENDING_RESERVE_WEI = ENDING_GAS * FEE_CAP_WEI;

/** A job's money for orders, and the used parts of it. All wei. */
export interface OrderFunds {
  /** Part of the deposit by `splitDeposit`. */
  readonly orderBudgetWei: bigint;
  /** Part of the deposit by `splitDeposit`. */
  readonly reserveWei: bigint;
  /** Spent in pools, including open orders. */
  readonly tradedWei: bigint;
  /** Gas of all the wallet's transactions so far, and the most that open ones can cost. */
  readonly gasWei: bigint;
}

/** The current costs and limits of an order beside its trade. */
export interface OrderCost {
  /** Gas that decides its size: that of a first buy. */
  readonly gas: bigint;
  /** Gas of all buys after the first; absent where it is the same. */
  readonly laterGas?: bigint;
  /** Base and priority fee together, wei per gas. */
  readonly gasPriceWei: bigint;
  /** Largest trade that the impact cap allows now, wei; see `withinImpact`. Absent: no order reaches it. */
  readonly largestWei?: bigint;
}

/** Why a job completed before its end of trading: `nextOrder` gives no further order. Receipts have this text. */
export const BUDGET_SPENT = 'the budget is spent';

/** The next order, or the reason for none. */
export type NextOrder =
  | {
      readonly kind: 'order';
      /** Amount to spend in the pool, wei. */
      readonly tradeWei: bigint;
      /** Number of standard orders that it replaces: the next one is due after as many slots of the schedule. */
      readonly merged: number;
    }
  /** Gas is above the guardrail: wait. */
  | { readonly kind: 'gas_guardrail' }
  /** Even the smallest order would move the price too far: wait. */
  | { readonly kind: 'impact_cap' }
  /** The rest is too small for an order that is worth its gas: it is returned. */
  | { readonly kind: 'spent' };

/** Number of standard orders that an order of this size replaces: the next one is due after as many slots. Source: design § 4a. */
export function slotsOf(tradeWei: bigint): number {
  return Math.max(1, Number((tradeWei + STANDARD_ORDER_WEI / 2n) / STANDARD_ORDER_WEI));
}

/**
 * Number of standard orders to merge, so that gas is at most a third of the merged order's total cost: never more
 * than 16. Source: design § 4a. @param gasCostWei gas of the order, wei
 */
export function mergedAt(gasCostWei: bigint): number {
  const needed = (2n * gasCostWei + STANDARD_ORDER_WEI - 1n) / STANDARD_ORDER_WEI;
  return Number(clamp(needed, 1n, BigInt(MOST_MERGED)));
}

/**
 * Computes the next order. The reserve pays for gas until it holds only the part for delivery and return; after that the order
 * budget pays. The last orders share the rest. No order is smaller than 0.0003 HYPE. Except for a job's first, none is smaller
 * than two thirds of its own total cost.
 * Source: design § 4a.
 */
export function nextOrder(funds: OrderFunds, cost: OrderCost): NextOrder {
  if (exceedsGasGuardrail(cost.gasPriceWei, 0n)) return { kind: 'gas_guardrail' };
  const largestWei = smaller(cost.largestWei ?? LARGEST_ORDER_WEI, LARGEST_ORDER_WEI);
  if (largestWei < ORDER_COST_MINIMUM_WEI) return { kind: 'impact_cap' };
  const gasCostWei = cost.gas * cost.gasPriceWei;
  const tradeWei = nextTrade(funds, gasCostWei, largestWei);
  return tradeWei === undefined ? { kind: 'spent' } : { kind: 'order', tradeWei, merged: slotsOf(tradeWei) };
}

/** Number of orders that `nextOrder` gives until all is spent, at constant gas, and their cost in pools and gas, wei. */
export function countOrders(funds: OrderFunds, cost: OrderCost) {
  const gasCostWei = cost.gas * cost.gasPriceWei;
  const usedWei = (cost.laterGas ?? cost.gas) * cost.gasPriceWei;
  let count = 0n;
  let now = funds;
  for (let next = nextOrder(now, cost); next.kind === 'order'; next = nextOrder(now, cost)) {
    const orders = larger(1n, ordersAlike(now, gasCostWei, next.tradeWei));
    count += orders;
    now = { ...now, tradedWei: now.tradedWei + orders * next.tradeWei, gasWei: now.gasWei + orders * usedWei };
  }
  return { count: Number(count), tradedWei: now.tradedWei - funds.tradedWei, gasWei: now.gasWei - funds.gasWei };
}

/**
 * The largest trade within the cap on an order's own price impact, which grows with the size of the order.
 * @param impactBps impact of a trade of `tradeWei`, rounded up
 */
export function withinImpact(tradeWei: bigint, impactBps: bigint, capBps: bigint): bigint {
  return impactBps <= capBps ? tradeWei : (tradeWei * capBps) / impactBps;
}

function nextTrade(funds: OrderFunds, gasCostWei: bigint, largestWei: bigint): bigint | undefined {
  const { budgetWei, gasReserveWei } = whatIsLeft(funds);
  const ownGasWei = positive(gasCostWei - gasReserveWei);
  const laterGasWei = positive(gasCostWei - positive(gasReserveWei - gasCostWei));
  const availableWei = budgetWei - ownGasWei;
  const leastWei = smaller(worthwhile(gasCostWei), largestWei);
  if (availableWei < (funds.tradedWei === 0n ? ORDER_COST_MINIMUM_WEI : leastWei)) return undefined;

  const merged = mergedAt(gasCostWei);
  const usualWei = smaller(BigInt(merged) * STANDARD_ORDER_WEI, largestWei);
  if (availableWei >= usualWei + leastWei + laterGasWei) return usualWei;
  const half = (availableWei - laterGasWei) / 2n;
  if (half >= leastWei) return half;
  return smaller(availableWei, merged === 1 ? smaller(ORDER_COST_MAXIMUM_WEI, largestWei) : largestWei);
}

/** Number of equal orders that certainly follow in a row, so that the count can skip them; may be 0. */
function ordersAlike(funds: OrderFunds, gasCostWei: bigint, tradeWei: bigint): bigint {
  const { budgetWei, gasReserveWei } = whatIsLeft(funds);
  const spareWei = budgetWei - worthwhile(gasCostWei);
  if (gasCostWei === 0n) return positive(spareWei / tradeWei);
  const fromReserve = gasReserveWei / gasCostWei - 1n;
  if (fromReserve > 0n) return positive(smaller(fromReserve, spareWei / tradeWei));
  return positive((spareWei - gasCostWei) / (tradeWei + gasCostWei));
}

/** The unused order budget, and the unused part of the reserve for orders. Wei. */
function whatIsLeft({ orderBudgetWei, reserveWei, tradedWei, gasWei }: OrderFunds) {
  const forOrdersWei = positive(reserveWei - ENDING_RESERVE_WEI);
  return {
    budgetWei: orderBudgetWei - tradedWei - positive(gasWei - forOrdersWei),
    gasReserveWei: positive(forOrdersWei - gasWei),
  };
}

/** Smallest trade that is worth its gas, wei: gas is at most a third of its cost, within the limit of merging. */
function worthwhile(gasCostWei: bigint): bigint {
  return clamp(2n * gasCostWei, ORDER_COST_MINIMUM_WEI, LARGEST_ORDER_WEI);
}

function positive(wei: bigint): bigint {
  return larger(wei, 0n);
}

function clamp(value: bigint, least: bigint, most: bigint): bigint {
  return larger(least, smaller(value, most));
}
