import { derivedPlan } from '@maker/execution-records';
import { DEFAULT_PLAN_LIMITS, orderPrice, type PoolCurve, PRICE_SCALE, readCurve } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { cappedTrade, priceOrders, quotedAmounts } from './price-orders.ts';

const HYPE = 10n ** 18n;
const TRADE = HYPE / 100n;
const plan = derivedPlan(HYPE, 0, DEFAULT_PLAN_LIMITS);
const order = { tradeWei: TRADE, merged: 1 };

/** Returns the curve of a pool with x · y = k and no fee, in which a token costs one HYPE. */
function poolOf(depthWei: bigint, amounts: readonly bigint[]): PoolCurve {
  const samples = amounts.map((inWei) => ({ inWei, tokens: (depthWei * inWei) / (depthWei + inWei) }));
  const curve = readCurve({ exchange: 'test', orderGas: 1n, samples });
  if (!curve) throw new Error('no curve');
  return curve;
}

describe('priceOrders (design § 4a)', () => {
  it('quotes each order after those before it', () => {
    const orders = [order, order, order] as const;
    const curve = poolOf(10n * HYPE, quotedAmounts(orders, TRADE));
    const alone = priceOrders(curve, orders, { plan, aheadWei: 0n, isRetry: false }) ?? [];
    expect(alone.map(({ quotedTokens }) => quotedTokens)).toEqual(
      [0n, 1n, 2n].map((before) => {
        const given = (inWei: bigint) => (10n * HYPE * inWei) / (10n * HYPE + inWei);
        return given((before + 1n) * TRADE) - given(before * TRADE);
      }),
    );
    const [behind] = priceOrders(curve, orders, { plan, aheadWei: TRADE, isRetry: false }) ?? [];
    expect(behind?.quotedTokens).toBe(alone[1]?.quotedTokens);
  });

  it('accepts half the slippage, all on a retry', () => {
    const curve = poolOf(1000n * HYPE, quotedAmounts([order], 0n));
    const minimum = (isRetry: boolean) => {
      const [priced] = priceOrders(curve, [order], { plan, aheadWei: 0n, isRetry }) ?? [];
      return Number(((priced?.minimumTokens ?? 0n) * 10_000n) / (priced?.quotedTokens ?? 1n));
    };
    expect(minimum(false)).toBe(9949);
    expect(minimum(true)).toBe(9899);
  });

  it('buys nothing above the visitor’s price band', () => {
    const orders = Array.from({ length: 8 }, () => order) as [typeof order, ...(typeof order)[]];
    const curve = poolOf(HYPE, quotedAmounts(orders, 0n));
    const seen = (seenPriceX96: bigint) => ({ plan: { ...plan, seenPriceX96 }, aheadWei: 0n, isRetry: false });
    expect(priceOrders(curve, orders, seen(PRICE_SCALE))).toHaveLength(5);
    expect(priceOrders(curve, orders, seen(PRICE_SCALE / 2n))).toEqual([]);
    expect(priceOrders(curve, orders, seen(2n * PRICE_SCALE))).toHaveLength(8);
  });

  it('buys at most two bands above the confirmed price', () => {
    const orders = Array.from({ length: 8 }, () => order) as [typeof order, ...(typeof order)[]];
    const curve = poolOf(HYPE, quotedAmounts(orders, 0n));
    const lied = { ...plan, seenPriceX96: 10n * PRICE_SCALE };
    const placed = (confirmedPriceX96: bigint) =>
      priceOrders(curve, orders, { plan: lied, confirmedPriceX96, aheadWei: 0n, isRetry: false });
    expect(placed(PRICE_SCALE)).toHaveLength(8);
    expect(placed((PRICE_SCALE * 100n) / 115n)).toHaveLength(3);
    expect(placed(PRICE_SCALE / 2n)).toEqual([]);
  });

  it('measures the band from the first price by default', () => {
    const curve = poolOf(HYPE, quotedAmounts([order], 0n));
    expect(priceOrders(curve, [order], { plan, aheadWei: 0n, isRetry: false })).toHaveLength(1);
  });

  it('quotes each sum once per pool', () => {
    expect(quotedAmounts([order], 0n)).toEqual([TRADE / 2n, TRADE]);
    expect(quotedAmounts([order, order], 0n)).toEqual([TRADE / 2n, TRADE, 2n * TRADE]);
    expect(quotedAmounts([order, order], 7n)).toEqual([TRADE / 2n, TRADE, 7n, 7n + TRADE, 7n + 2n * TRADE]);
  });

  it('places only orders that the pool can fill', () => {
    const curve = poolOf(HYPE, [TRADE, 2n * TRADE]);
    const pricing = { plan, aheadWei: 0n, isRetry: false };
    expect(priceOrders(curve, [order, order], pricing)).toHaveLength(2);
    expect(priceOrders(curve, [order, order, order], pricing)).toHaveLength(2);
  });

  it('buys up to the band exactly', () => {
    const curve = poolOf(HYPE, quotedAmounts([order], 0n));
    const priceX96 = orderPrice(curve, 0n, TRADE) ?? 0n;
    const within = (seenPriceX96: bigint) =>
      priceOrders(curve, [order], { plan: { ...plan, seenPriceX96, bandBps: 0 }, aheadWei: 0n, isRetry: false });
    expect(within(priceX96)).toHaveLength(1);
    expect(within(priceX96 - 1n)).toEqual([]);
  });

  it('returns undefined when a pool cannot fill an order', () => {
    const curve = poolOf(HYPE, [TRADE / 2n]);
    expect(priceOrders(curve, [order], { plan, aheadWei: 0n, isRetry: false })).toBeUndefined();
  });
});

describe('cappedTrade', () => {
  it('leaves a valueless order unchanged', () => {
    expect(cappedTrade(poolOf(HYPE, quotedAmounts([order], 0n)), 0n, plan)).toBe(0n);
  });

  it('shrinks an order above the impact cap', () => {
    const curve = poolOf(HYPE, quotedAmounts([order], 0n));
    const capped = cappedTrade(curve, TRADE, plan);
    expect(capped).toBe(TRADE / 2n);
    expect(cappedTrade(poolOf(3n * HYPE, quotedAmounts([order], 0n)), TRADE, plan)).toBe(TRADE);
  });
});
