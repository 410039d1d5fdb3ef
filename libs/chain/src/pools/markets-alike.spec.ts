import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import type { DeepMarket } from './market.ts';
import { areAlike } from './markets-alike.ts';

const POOL = `0x${'1'.repeat(40)}` as Address;
const OTHER_POOL = `0x${'2'.repeat(40)}` as Address;

type Sample = readonly [inWei: number, tokens: number];

const TRUTH: readonly Sample[] = [
  [100, 100_000],
  [200, 199_000],
  [400, 390_000],
  [700, 660_000],
];

/** A market of one pool, or of several with the same samples. */
function market(samples: readonly Sample[], ...pools: Address[]): DeepMarket {
  const addresses = pools.length > 0 ? pools : [POOL];
  const state = {
    exchange: 'swap',
    orderGas: 1n,
    samples: samples.map(([inWei, tokens]) => ({ inWei: BigInt(inWei), tokens: BigInt(tokens) })),
  };
  return {
    quotes: addresses.map((address) => ({ pool: { address } }) as DeepMarket['quotes'][number]),
    states: addresses.map(() => state),
  };
}

/** The truth with one sample in place of another. */
const changed = (index: number, sample: Sample) => market(TRUTH.with(index, sample));

describe('two markets are alike', () => {
  it.each([
    ['the same quotes', market(TRUTH)],
    ['quotes a half percent off', changed(1, [200, 198_100])],
    ['another depth of the same price', changed(3, [690, 651_000])],
    ['one amount more near the depth', market([...TRUTH.slice(0, 3), [720, 677_000]])],
  ])('with %s', (_, other) => {
    expect(areAlike(market(TRUTH), other)).toBe(true);
    expect(areAlike(other, market(TRUTH))).toBe(true);
  });

  it('in any order of their pools', () => {
    expect(areAlike(market(TRUTH, POOL, OTHER_POOL), market(TRUTH, OTHER_POOL, POOL))).toBe(true);
  });

  it('where both have no pool', () => {
    const none = { quotes: [], states: [] };
    expect(areAlike(none, none)).toBe(true);
  });
});

describe('two markets are not alike', () => {
  it.each([
    ['a quote two percent off', changed(1, [200, 195_000])],
    ['a quote left out', market(TRUTH.toSpliced(1, 1))],
    ['an amount of its own', market(TRUTH.toSpliced(1, 1, [300, 290_000]))],
    ['a pool that is twice as deep', changed(3, [1400, 1_200_000])],
    ['a pool that is half as deep', market(TRUTH.slice(0, 3))],
    ['a false quote at the depth', changed(3, [700, 500_000])],
    ['no quotes', market([])],
    ['another pool', market(TRUTH, OTHER_POOL)],
    ['one pool more', market(TRUTH, POOL, OTHER_POOL)],
    ['no pool', { quotes: [], states: [] }],
  ])('with %s', (_, other) => {
    expect(areAlike(market(TRUTH), other)).toBe(false);
    expect(areAlike(other, market(TRUTH))).toBe(false);
  });
});
