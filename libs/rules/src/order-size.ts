import { larger, smaller } from './amounts.ts';
import { ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI } from './estimate.ts';
import { FEE_CAP_WEI } from './fees.ts';
import { exceedsGasGuardrail } from './guardrails.ts';

/** What a standard order spends in the pool, wei: the middle of the estimate's 0.0003 and 0.0005 HYPE. Source: design § 4a. */
export const STANDARD_ORDER_WEI = (ORDER_COST_MINIMUM_WEI + ORDER_COST_MAXIMUM_WEI) / 2n;

/** Most standard orders that are merged into one. Source: design § 4a. */
export const MOST_MERGED = 16;

/** Most that any order spends in the pool, wei. */
export const LARGEST_ORDER_WEI = BigInt(MOST_MERGED) * STANDARD_ORDER_WEI;

/** What delivery and return use of gas at most; a plain token's delivery and a plain transfer use a third of it. */
const ENDING_GAS = 300_000n;

/** Part of the gas reserve that no order may use, wei: delivery and return at the dearest fee that is ever signed. */
export const ENDING_RESERVE_WEI = ENDING_GAS * FEE_CAP_WEI;

/** What a job has for orders, and what is gone of it. All wei. */
export interface OrderFunds {
  /** As `splitDeposit` made it. */
  readonly orderBudgetWei: bigint;
  /** As `splitDeposit` made it. */
  readonly reserveWei: bigint;
  /** Spent in pools, with what open orders spend. */
  readonly tradedWei: bigint;
  /** Gas of all the wallet's transactions so far, with the most that open ones can cost. */
  readonly gasWei: bigint;
}

/** What an order costs now beside its trade. */
export interface OrderCost {
  /** Gas that it is sized by: that of a first buy. */
  readonly gas: bigint;
  /** Gas that all but the first buy use; absent where it is the same. */
  readonly laterGas?: bigint;
  /** Base and priority fee together, wei per gas. */
  readonly gasPriceWei: bigint;
  /** Largest trade that the impact cap allows now, wei; see `withinImpact`. Absent: no order comes near it. */
  readonly largestWei?: bigint;
}

/** The next order, or why there is none. */
export type NextOrder =
  | {
      readonly kind: 'order';
      /** To be spent in the pool, wei. */
      readonly tradeWei: bigint;
      /** Standard orders that it stands for: the next one is due after as many slots of the schedule. */
      readonly merged: number;
    }
  /** Gas is above the guardrail: wait. */
  | { readonly kind: 'gas_guardrail' }
  /** Even the smallest order would move the price too far: wait. */
  | { readonly kind: 'impact_cap' }
  /** What is left pays for no order that is worth its gas: it goes back with the rest. */
  | { readonly kind: 'spent' };

/** Standard orders that an order of this size stands for: the next one is due after as many slots of the schedule. Source: design § 4a. */
export function slotsOf(tradeWei: bigint): number {
  return Math.max(1, Number((tradeWei + STANDARD_ORDER_WEI / 2n) / STANDARD_ORDER_WEI));
}

/**
 * How many standard orders are merged into one, so that gas is at most a third of what the order costs in all: never more
 * than 16. Source: design § 4a. @param gasCostWei gas of the order, wei
 */
export function mergedAt(gasCostWei: bigint): number {
  const needed = (2n * gasCostWei + STANDARD_ORDER_WEI - 1n) / STANDARD_ORDER_WEI;
  return Number(clamp(needed, 1n, BigInt(MOST_MERGED)));
}

/**
 * Size of the next order. Gas comes out of the reserve until that holds no more than delivery and return need, and out
 * of the order budget from then on. The last orders share what is left: no order is smaller than 0.0003 HYPE or, but for
 * a job's first, than two thirds of its own cost.
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

/** How many orders `nextOrder` will give until all is spent, while gas stays as it is, and what pools and gas take for them, wei. */
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
 * @param impactBps of a trade of `tradeWei`, rounded up
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

/** Orders of one size that are sure to follow one another, so that they need not be counted one by one; may be 0. */
function ordersAlike(funds: OrderFunds, gasCostWei: bigint, tradeWei: bigint): bigint {
  const { budgetWei, gasReserveWei } = whatIsLeft(funds);
  const spareWei = budgetWei - worthwhile(gasCostWei);
  if (gasCostWei === 0n) return positive(spareWei / tradeWei);
  const fromReserve = gasReserveWei / gasCostWei - 1n;
  if (fromReserve > 0n) return positive(smaller(fromReserve, spareWei / tradeWei));
  return positive((spareWei - gasCostWei) / (tradeWei + gasCostWei));
}

/** What neither trades nor gas have taken yet, of the order budget and of the reserve's part for orders. Wei. */
function whatIsLeft({ orderBudgetWei, reserveWei, tradedWei, gasWei }: OrderFunds) {
  const forOrdersWei = positive(reserveWei - ENDING_RESERVE_WEI);
  return {
    budgetWei: orderBudgetWei - tradedWei - positive(gasWei - forOrdersWei),
    gasReserveWei: positive(forOrdersWei - gasWei),
  };
}

/** Smallest trade that is worth its gas, wei: gas is at most a third of its cost, as far as merging goes. */
function worthwhile(gasCostWei: bigint): bigint {
  return clamp(2n * gasCostWei, ORDER_COST_MINIMUM_WEI, LARGEST_ORDER_WEI);
}

function positive(wei: bigint): bigint {
  return larger(wei, 0n);
}

function clamp(value: bigint, least: bigint, most: bigint): bigint {
  return larger(least, smaller(value, most));
}
