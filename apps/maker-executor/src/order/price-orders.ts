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

/** An order with what it should bring behind those before it, and what it must. */
export interface PricedOrder extends PlannedOrder {
  readonly quotedTokens: bigint;
  readonly minimumTokens: bigint;
}

/** A pool that can be bought from, with what it gives for rising amounts at the head. */
export interface PoolOffer {
  readonly pool: Pool;
  readonly curve: PoolCurve;
}

/** How orders are priced. */
export interface Pricing {
  readonly plan: ExecutionPlan;
  /** What the executor's own hosts told before the fee. X96 */
  readonly confirmedPriceX96?: bigint | undefined;
  /** Spent by orders under way, which move the price before these, wei. */
  readonly aheadWei: bigint;
  /** A second try accepts all of the published slippage, a first one half of it. */
  readonly isRetry: boolean;
}

/**
 * Amounts for which a pool is asked what it gives: with them each order has a quote behind all that comes before it, and the
 * price before any is known. @returns wei
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
 * Prices orders one behind the other, as far as the price stays in the band above the one that the visitor saw. Where nobody
 * saw one, the price now is the first that is.
 * @returns undefined where the pool cannot fill the first; no orders where the price stands above the band
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

/** The band's end. A seen price counts for no more than the band above the confirmed one: else it would be the word of one service. */
function highestPrice({ plan, confirmedPriceX96 }: Pricing, nowX96: bigint): bigint {
  const bandBps = BigInt(plan.bandBps);
  const seenX96 = plan.seenPriceX96 ?? nowX96;
  const fromX96 = confirmedPriceX96 === undefined ? seenX96 : smaller(seenX96, priceAbove(confirmedPriceX96, bandBps));
  return priceAbove(fromX96, bandBps);
}

/** The largest trade of at most `tradeWei` that moves the price by no more than the plan's cap. Wei. */
export function cappedTrade(curve: PoolCurve, tradeWei: bigint, { impactCapBps }: ExecutionPlan): bigint {
  const priceX96 = orderPrice(curve, 0n, tradeWei);
  if (priceX96 === undefined) return tradeWei;
  return withinImpact(tradeWei, riseBps(priceX96, priceNow(curve)), BigInt(impactCapBps));
}
