import type { Pool } from '@maker/chain';
import type { ExecutionPlan } from '@maker/execution-records';
import {
  curveEnd,
  minimumOut,
  orderPrice,
  orderSlippage,
  type PoolCurve,
  priceAbove,
  priceNow,
  riseBps,
  smaller,
  tokensAt,
  wholeTokens,
  withinImpact,
} from '@maker/rules';
import type { PlannedOrder } from './plan-orders.ts';

/** An order with its quote after those before it, and its minimum out. */
export interface PricedOrder extends PlannedOrder {
  readonly quotedTokens: bigint;
  readonly minimumTokens: bigint;
}

/** A pool that sells the token, with its quotes for rising amounts at the head. */
export interface PoolOffer {
  readonly pool: Pool;
  readonly curve: PoolCurve;
}

/** Inputs for the prices of orders. */
export interface Pricing {
  readonly plan: ExecutionPlan;
  /** Price that the executor's own hosts confirmed before the fee. X96 */
  readonly confirmedPriceX96?: bigint | undefined;
  /** Amount of unconfirmed orders, which move the price before these, wei. */
  readonly aheadWei: bigint;
  /** A retry accepts all of the published slippage, a first try half of it. */
  readonly isRetry: boolean;
}

/**
 * Returns the amounts to quote in a pool, wei. They give each order a quote after all orders before it, and the price before
 * the first order.
 */
export function quotedAmounts(orders: readonly [PlannedOrder, ...PlannedOrder[]], aheadWei: bigint): readonly bigint[] {
  const amounts = [orders[0].tradeWei / 2n, orders[0].tradeWei];
  if (aheadWei > 0n) amounts.push(aheadWei);
  let spentWei = aheadWei;
  for (const { tradeWei } of orders) {
    spentWei += tradeWei;
    amounts.push(spentWei);
  }
  return [...new Set(amounts)];
}

/**
 * Prices orders one after the other, while the price stays in the band above the price that the visitor saw. If the visitor saw no
 * price, the present price counts instead.
 * @returns undefined if the pool cannot fill the first; no orders if the price is above the band
 */
export function priceOrders(
  curve: PoolCurve,
  orders: readonly PlannedOrder[],
  pricing: Pricing,
): readonly PricedOrder[] | undefined {
  const { plan, aheadWei, isRetry } = pricing;
  const highestX96 = highestPrice(pricing, priceNow(curve));
  const slippageBps = orderSlippage(BigInt(plan.slippageBps), isRetry);
  const priced: PricedOrder[] = [];
  let spentWei = aheadWei;
  for (const order of orders) {
    const afterWei = spentWei + order.tradeWei;
    const priceX96 = afterWei > curveEnd(curve) ? undefined : orderPrice(curve, spentWei, order.tradeWei);
    if (priceX96 === undefined) return priced.length > 0 ? priced : undefined;
    if (priceX96 > highestX96) break;
    const quotedTokens = wholeTokens(tokensAt(curve, afterWei) - tokensAt(curve, spentWei));
    priced.push({ ...order, quotedTokens, minimumTokens: minimumOut(quotedTokens, slippageBps) });
    spentWei = afterWei;
  }
  return priced;
}

/** Upper end of the band. It starts at most one band above the confirmed price, as only one service reported the seen price. */
function highestPrice({ plan, confirmedPriceX96 }: Pricing, nowX96: bigint): bigint {
  const bandBps = BigInt(plan.bandBps);
  const seenX96 = plan.seenPriceX96 ?? nowX96;
  const fromX96 = confirmedPriceX96 === undefined ? seenX96 : smaller(seenX96, priceAbove(confirmedPriceX96, bandBps));
  return priceAbove(fromX96, bandBps);
}

/** Returns the largest trade of at most `tradeWei` that moves the price by no more than the plan's cap, wei. */
export function cappedTrade(curve: PoolCurve, tradeWei: bigint, { impactCapBps }: ExecutionPlan): bigint {
  const priceX96 = orderPrice(curve, 0n, tradeWei);
  if (priceX96 === undefined) return tradeWei;
  return withinImpact(tradeWei, riseBps(priceX96, priceNow(curve)), BigInt(impactCapBps));
}
