import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { constantProduct, stateOf } from './pool.fixture.ts';
import { readCurve } from './pool-curve.ts';
import { PRICE_SCALE, priceOf } from './price.ts';
import {
  addPurchase,
  againstSingleSwap,
  againstTwap,
  measureQuality,
  NO_PURCHASES,
  type OrderExecution,
  removePurchase,
  timeWeightedPrice,
} from './quality.ts';
import { tokensOfSingleSwap } from './spend-in-pools.ts';

/** A price of whole wei for a unit. */
const wei = (amount: bigint) => amount * PRICE_SCALE;
const order = (change: Partial<OrderExecution> = {}): OrderExecution => ({
  tradeWei: 1_000_000n,
  tokens: 9_000n,
  quotedTokens: 9_000n,
  poolFeeWei: 3_000n,
  priceBeforeX96: wei(100n),
  priceAfterX96: wei(110n),
  ...change,
});
const serviceFeeWei = 300_000n;
const gasWei = 1_200n;
/** One order a second. */
const purchasesOf = (orders: readonly OrderExecution[]) =>
  orders.reduce((sums, executed, index) => addPurchase(sums, executed, index * 1000), NO_PURCHASES);
const measure = (orders: readonly OrderExecution[], arrival = 100n) =>
  measureQuality({ arrivalPriceX96: wei(arrival), serviceFeeWei, gasWei, purchases: purchasesOf(orders) });

describe('the quality of a job (docs/quality.md)', () => {
  it('splits an order’s shortfall into its parts', () => {
    // 9,000 tokens are worth 900,000 at arrival; 3,000 of the million is the pool's fee, 97,000 the order's impact.
    expect(measure([order()])).toEqual({
      arrivalPriceX96: wei(100n),
      worthWei: 900_000n,
      averagePriceX96: priceOf(1_000_000n, 9_000n),
      slippageBps: 0n,
      priceImpactBps: 1077n,
      shortfall: {
        totalWei: 401_200n,
        impactWei: 97_000n,
        driftWei: 0n,
        poolFeeWei: 3_000n,
        gasWei: 1_200n,
        serviceFeeWei: 300_000n,
      },
      shortfallBps: 4457n,
    });
  });

  it('separates own impact from drift', () => {
    const dearer = order({ priceBeforeX96: wei(110n), priceAfterX96: wei(120n) });
    const own = measure([order(), dearer]);
    expect(own?.shortfall).toMatchObject({ impactWei: 194_000n, driftWei: 0n });
    // The same, but another trader bought first and raised the price from 90 to 100.
    expect(measure([order(), dearer], 90n)?.shortfall).toMatchObject({ impactWei: 194_000n, driftWei: 180_000n });
    // Other traders restored the price between the two.
    expect(measure([order(), order()])?.shortfall).toMatchObject({ impactWei: 284_000n, driftWei: -90_000n });
  });

  it('measures slippage from the quotes', () => {
    expect(measure([order({ quotedTokens: 9_090n })])?.slippageBps).toBe(99n);
    expect(measure([order({ quotedTokens: 8_910n })])?.slippageBps).toBe(-101n);
    expect(measure([order({ quotedTokens: 0n })])?.slippageBps).toBe(0n);
  });

  it('is undefined before the first purchase', () => {
    expect(measure([])).toBeUndefined();
  });

  it('sums all parts to the wei', () => {
    const price = fc.bigInt({ min: 1n, max: 2n ** 140n });
    const amount = fc.bigInt({ min: 0n, max: parseHype('1') });
    const orders = fc.array(
      fc.record({
        tradeWei: amount,
        tokens: fc.bigInt({ min: 0n, max: 10n ** 27n }),
        quotedTokens: fc.bigInt({ min: 0n, max: 10n ** 27n }),
        poolFeeWei: amount,
        priceBeforeX96: price,
        priceAfterX96: price,
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(orders, price, amount, amount, (executed, arrivalPriceX96, fee, gas) => {
        const request = { arrivalPriceX96, serviceFeeWei: fee, gasWei: gas, purchases: purchasesOf(executed) };
        const shortfall = measureQuality(request)?.shortfall;
        fc.pre(shortfall !== undefined);
        const { totalWei, ...parts } = shortfall;
        expect(Object.values(parts).reduce((sum, part) => sum + part, 0n)).toBe(totalWei);
      }),
    );
  });
});

it('forgets an order after its block left', () => {
  const price = fc.bigInt({ min: 1n, max: 2n ** 140n });
  const amount = fc.bigInt({ min: 0n, max: parseHype('1') });
  const one = fc.record({
    tradeWei: amount,
    tokens: amount,
    quotedTokens: amount,
    poolFeeWei: amount,
    priceBeforeX96: price,
    priceAfterX96: price,
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 9 }), (orders) => {
      const mined = orders.map((executed, index) => ({ order: executed, minedAtMs: index * index * 1000 }));
      const sumsOf = (some: typeof mined) =>
        some.reduce((sums, { order: executed, minedAtMs }) => addPurchase(sums, executed, minedAtMs), NO_PURCHASES);
      const newest = mined.at(-1);
      if (!newest) throw new Error('at least one');
      expect(removePurchase(sumsOf(mined), newest, mined.at(-2))).toEqual(sumsOf(mined.slice(0, -1)));
    }),
  );
});

describe('against other ways to buy (docs/quality.md)', () => {
  it('values one swap and many in different pools', () => {
    const budgetWei = parseHype('0.25');
    const pool = () => constantProduct(parseHype('5'), 10n ** 24n);
    const curve = readCurve(stateOf(pool(), budgetWei));
    const single = tokensOfSingleSwap(curve ? [curve] : [], budgetWei) ?? 0n;
    expect(single).toBe(pool().quote(budgetWei));

    const calm = pool();
    let [stayed, recovered] = [0n, 0n];
    for (let index = 0; index < 625; index += 1) {
      stayed += calm.buy(parseHype('0.0004'));
      recovered += pool().buy(parseHype('0.0004'));
    }
    expect(againstSingleSwap(stayed, single)).toBe(0n);
    expect(againstSingleSwap(recovered, single)).toBe(497n);
    expect(tokensOfSingleSwap(curve ? [curve] : [], budgetWei + 1n)).toBeUndefined();
  });

  it('weighs each price by its time in a TWAP', () => {
    // From 110 to 100 in one second, from 110 to 130 in the next three.
    const orders = [order(), order(), order({ priceBeforeX96: wei(130n), priceAfterX96: wei(999n) })];
    const times = [5000, 6000, 9000];
    const sums = orders.reduce((sums, one, index) => addPurchase(sums, one, times[index] ?? 0), NO_PURCHASES);
    expect(timeWeightedPrice(sums)).toBe((wei(105n) * 1000n + wei(120n) * 3000n) / 4000n);
    expect(timeWeightedPrice(addPurchase(NO_PURCHASES, order(), 5000))).toBeUndefined();
    expect(timeWeightedPrice(NO_PURCHASES)).toBeUndefined();
    expect(againstTwap(wei(124n), wei(125n))).toBe(80n);
    expect(againstTwap(wei(126n), wei(125n))).toBe(-80n);
  });
});
