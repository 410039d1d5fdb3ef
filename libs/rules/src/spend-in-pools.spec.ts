import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { constantProduct, stateOf } from './pool.fixture.ts';
import { curveEnd, orderPrice, type PoolCurve, priceNow, readCurve, tokensAt, wholeTokens } from './pool-curve.ts';
import { priceOf, riseBps } from './price.ts';
import { rankedAfterGas, type Spending, spendInPools, tokensOfSingleSwap, usualGas } from './spend-in-pools.ts';

const ORDER = parseHype('0.0004');
const END = parseHype('1');
const GWEI = 1_000_000_000n;

/** A pool of `hype` HYPE at 1,000 tokens for one, quoted up to one HYPE. @param orderGas gas of an order in it */
function curveOf(hype: string, orderGas = 130_000n): PoolCurve {
  const curve = readCurve(stateOf(constantProduct(parseHype(hype), parseHype(hype) * 1000n), END, orderGas));
  if (!curve) throw new Error('the pool has no quote');
  return curve;
}

const spending = (change: Partial<Spending> = {}): Spending => ({
  targetWei: END,
  orderWei: ORDER,
  gasPriceWei: 0n,
  highestPriceX96: 2n ** 200n,
  ...change,
});

describe('the best pool for an order (design § 4a)', () => {
  const rich = { tokens: 1010n, gas: 300_000n };
  const near = { tokens: 1000n, gas: 100_000n };

  it('chooses the most after gas', () => {
    expect(rankedAfterGas([near, rich], ORDER, 0n)).toEqual([rich, near]);
    expect(rankedAfterGas([rich, near], ORDER, 1_000_000_000n)).toEqual([near, rich]);
  });

  it('counts the gas of this order', () => {
    const pair = { orderGas: 133_000n, laterGas: 95_000n, tokens: 100_000n };
    const range = { orderGas: 161_000n, laterGas: 104_000n, tokens: 100_600n };
    const bestFor = (holdsToken: boolean) =>
      rankedAfterGas(
        [pair, range].map((pool) => ({ ...pool, gas: usualGas(pool, holdsToken) })),
        ORDER,
        GWEI / 10n,
      )[0];
    expect(bestFor(false)).toMatchObject(pair);
    expect(bestFor(true)).toMatchObject(range);
  });

  it('is none without tokens', () => {
    expect(rankedAfterGas([{ tokens: 0n, gas: 0n }, near], ORDER, 0n)).toEqual([near]);
  });
});

describe('a budget spent in pools (design § 4a)', () => {
  it('spends everything within the quotes', () => {
    const curve = curveOf('40');
    expect(spendInPools([curve], spending())).toEqual({
      spentWei: END,
      tokens: wholeTokens(tokensAt(curve, END)),
      lastPriceX96: orderPrice(curve, END - ORDER, ORDER),
    });
  });

  it('ends at the largest quote', () => {
    const curve = curveOf('40');
    const { spentWei } = spendInPools([curve], spending({ targetWei: 3n * END }));
    expect(spentWei).toBeLessThanOrEqual(curveEnd(curve));
    expect(spentWei).toBeGreaterThan(END - 2n * ORDER);
  });

  it('spends up to the highest price exactly', () => {
    const curve = curveOf('40');
    const last = orderPrice(curve, END - ORDER, ORDER) ?? 0n;
    expect(spendInPools([curve], spending({ highestPriceX96: last })).spentWei).toBe(END);
    const less = spendInPools([curve], spending({ highestPriceX96: last - 1n }));
    expect(less.spentWei).toBeLessThan(END);
    expect(less.lastPriceX96).toBeLessThan(last);
  });

  it('buys nothing above the highest price', () => {
    const curve = curveOf('40');
    const spent = spendInPools([curve], spending({ highestPriceX96: priceNow(curve) - 1n }));
    expect(spent).toEqual({ spentWei: 0n, tokens: 0n, lastPriceX96: undefined });
  });
});

describe('a budget spent in two pools of one pair (docs/adr/0098)', () => {
  const MERGED = 16n * ORDER;
  const price = (spent: { readonly tokens: bigint }) => priceOf(END, spent.tokens);

  it('is split by depth, so that its impact falls', () => {
    const [deep, thin] = [curveOf('30'), curveOf('10')];
    const alone = spendInPools([deep], spending());
    const both = spendInPools([deep, thin], spending());
    // The same as one pool of 40 HYPE.
    expect(Number(both.tokens) / Number(spendInPools([curveOf('40')], spending()).tokens)).toBeCloseTo(1, 5);
    const impactBps = [alone, both].map((spent) => riseBps(price(spent), priceNow(deep)));
    expect(impactBps).toEqual([333n, 250n]);
  });

  it.each([
    ['less than the impact falls', 30_000n, true],
    ['more than the impact falls', 400_000n, false],
  ])('is split where the second pool’s gas costs %s', (_, moreGas, isSplit) => {
    const gasPriceWei = GWEI;
    const [near, far] = [curveOf('40'), curveOf('40', 130_000n + moreGas)];
    const alone = spendInPools([near], spending({ orderWei: MERGED, gasPriceWei }));
    const both = spendInPools([near, far], spending({ orderWei: MERGED, gasPriceWei }));
    expect(both.tokens > alone.tokens).toBe(isSplit);
    if (!isSplit) expect(both).toEqual(alone);
  });
});

it('sends one swap to the deepest pool', () => {
  const [deep, thin] = [curveOf('40'), curveOf('4')];
  const most = wholeTokens(tokensAt(deep, END));
  expect(tokensOfSingleSwap([deep, thin], END)).toBe(most);
  expect(tokensOfSingleSwap([thin, deep], END)).toBe(most);
  expect(tokensOfSingleSwap([deep, thin], END + 1n)).toBeUndefined();
});
