import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { constantProduct, stateOf } from './pool.fixture.ts';
import {
  curveEnd,
  orderPrice,
  type PoolCurve,
  type PoolState,
  priceNow,
  readCurve,
  sampleAmounts,
  tokensAt,
  wholeTokens,
} from './pool-curve.ts';
import { priceOf } from './price.ts';

const BUDGET = parseHype('3.4');

function curveOf(state: PoolState) {
  const curve = readCurve(state);
  if (!curve) throw new Error('the pool has no quote');
  return curve;
}

describe('a pool as quotes', () => {
  it('doubles its amounts up to the budget', () => {
    expect(sampleAmounts(parseHype('0.002'))).toEqual(['0.0004', '0.0008', '0.0016', '0.002'].map(parseHype));
    expect(sampleAmounts(parseHype('0.0008'))).toEqual(['0.0004', '0.0008'].map(parseHype));
    expect(sampleAmounts(0n)).toEqual([parseHype('0.0004')]);
    expect(sampleAmounts(parseHype('699.9'))).toHaveLength(22);
  });

  it('matches the pool between its quotes', () => {
    const amounts = fc.bigInt({ min: parseHype('0.0001'), max: BUDGET });
    const pool = constantProduct(parseHype('40'), 10n ** 27n);
    const curve = curveOf(stateOf(pool, BUDGET));
    fc.assert(
      fc.property(amounts, (inWei) => {
        const exact = pool.quote(inWei);
        const read = wholeTokens(tokensAt(curve, inWei));
        const off = read > exact ? read - exact : exact - read;
        expect(off * 10_000_000n).toBeLessThanOrEqual(exact);
      }),
    );
  });

  it('knows the first unit’s price with the fee', () => {
    const curve = curveOf(stateOf(constantProduct(parseHype('40'), 10n ** 27n), BUDGET));
    const exact = (priceOf(parseHype('40'), 10n ** 27n) * 1000n) / 997n;
    expect(Number(priceNow(curve)) / Number(exact)).toBeCloseTo(1, 7);
    expect(orderPrice(curve, parseHype('1'), parseHype('0.0004'))).toBeGreaterThan(priceNow(curve));
  });

  it('handles rounded quotes of few units', () => {
    const curve = curveOf(stateOf(constantProduct(parseHype('40'), 1_000_000n), BUDGET));
    const exact = (priceOf(parseHype('40'), 1_000_000n) * 1000n) / 997n;
    expect(Number(priceNow(curve)) / Number(exact)).toBeCloseTo(1, 2);
  });

  it('ends without further tokens, or without a quote', () => {
    const sample = (inWei: bigint, tokens: bigint) => ({ inWei, tokens });
    const emptied = { exchange: 'v3', orderGas: 1n, samples: [sample(8n, 60n), sample(4n, 60n), sample(2n, 40n)] };
    expect(curveEnd(curveOf(emptied))).toBe(4n);
    expect(readCurve({ ...emptied, samples: [] })).toBeUndefined();
    expect(readCurve({ ...emptied, samples: [sample(4n, 0n)] })).toBeUndefined();
  });

  describe('by hand', () => {
    const quoted = (...samples: readonly (readonly [bigint, bigint])[]) =>
      curveOf({ exchange: 'v3', orderGas: 1n, samples: samples.map(([inWei, tokens]) => ({ inWei, tokens })) });
    const tokens = (curve: PoolCurve, inWei: bigint) => wholeTokens(tokensAt(curve, inWei));

    it('of one quote has one price', () => {
      const curve = quoted([4n, 200n]);
      expect([0n, 1n, 3n, 4n].map((inWei) => tokens(curve, inWei))).toEqual([0n, 50n, 150n, 200n]);
      expect(priceNow(curve)).toBe(priceOf(4n, 200n));
    });

    it('interpolates between neighbouring quotes', () => {
      // Average prices of 1/9 and 1/5: the middle is 7/45, which buys 19.28 for 3.
      const curve = quoted([1n, 10n], [2n, 18n], [4n, 20n]);
      expect([1n, 2n, 3n, 4n].map((inWei) => tokens(curve, inWei))).toEqual([10n, 18n, 19n, 20n]);
    });

    it('keeps quotes of one price', () => {
      expect(tokens(quoted([10n, 100n], [20n, 200n], [40n, 300n]), 10n)).toBe(100n);
    });

    it('drops empty and duplicate quotes', () => {
      const same = quoted([2n, 40n], [4n, 60n]);
      expect(quoted([0n, 5n], [2n, 40n], [4n, 60n])).toEqual(same);
      expect(quoted([2n, 40n], [2n, 41n], [4n, 60n])).toEqual(same);
    });

    it('has no price for an order that buys nothing', () => {
      expect(orderPrice(quoted([4n, 200n]), 1n, 0n)).toBeUndefined();
    });
  });

  it('never gives fewer tokens for more HYPE', () => {
    const quotes = fc.array(
      fc.record({ inWei: fc.bigInt({ min: 0n, max: 10n ** 21n }), tokens: fc.bigInt({ min: 0n, max: 10n ** 30n }) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(
        quotes,
        fc.bigInt({ min: 0n, max: 10_000n }),
        fc.bigInt({ min: 0n, max: 10_000n }),
        (samples, a, b) => {
          const curve = readCurve({ exchange: 'any', orderGas: 1n, samples });
          fc.pre(curve !== undefined);
          const [less, more] = a < b ? [a, b] : [b, a];
          const at = (share: bigint) => tokensAt(curve, (curveEnd(curve) * share) / 10_000n);
          expect(at(less) <= at(more)).toBe(true);
          expect(priceNow(curve)).toBeGreaterThanOrEqual(0n);
        },
      ),
    );
  });
});
