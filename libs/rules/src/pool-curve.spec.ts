import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { constantProduct, stateOf } from './pool.fixture.ts';
import {
  curveEnd,
  orderPrice,
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
  it('is asked for amounts that double up to the budget, few even for the largest', () => {
    expect(sampleAmounts(parseHype('0.002'))).toEqual(['0.0004', '0.0008', '0.0016', '0.002'].map(parseHype));
    expect(sampleAmounts(0n)).toEqual([parseHype('0.0004')]);
    expect(sampleAmounts(parseHype('699.9'))).toHaveLength(22);
  });

  it('gives between its quotes what the pool itself would give', () => {
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

  it('knows the price before anything is bought, with the fee', () => {
    const curve = curveOf(stateOf(constantProduct(parseHype('40'), 10n ** 27n), BUDGET));
    const exact = (priceOf(parseHype('40'), 10n ** 27n) * 1000n) / 997n;
    expect(Number(priceNow(curve)) / Number(exact)).toBeCloseTo(1, 7);
    expect(orderPrice(curve, parseHype('1'), parseHype('0.0004'))).toBeGreaterThan(priceNow(curve));
  });

  it('is not misled by a token of few units, whose small quotes are rounded', () => {
    const curve = curveOf(stateOf(constantProduct(parseHype('40'), 1_000_000n), BUDGET));
    const exact = (priceOf(parseHype('40'), 1_000_000n) * 1000n) / 997n;
    expect(Number(priceNow(curve)) / Number(exact)).toBeCloseTo(1, 2);
  });

  it('ends where more HYPE brings no more tokens, and is none without a quote', () => {
    const sample = (inWei: bigint, tokens: bigint) => ({ inWei, tokens });
    const emptied = { exchange: 'v3', orderGas: 1n, samples: [sample(8n, 60n), sample(4n, 60n), sample(2n, 40n)] };
    expect(curveEnd(curveOf(emptied))).toBe(4n);
    expect(readCurve({ ...emptied, samples: [] })).toBeUndefined();
    expect(readCurve({ ...emptied, samples: [sample(4n, 0n)] })).toBeUndefined();
  });

  it('never gives fewer tokens for more HYPE, whatever the quotes', () => {
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
