import { describe, expect, it } from 'vitest';
import { camelotAmountOut } from './camelot-amount-out.ts';

describe('camelotAmountOut (hyperevm § 2.0)', () => {
  const pair = { reserveIn: 1_000_000n, reserveOut: 2_000_000n, feePercent: 300 };

  it('deducts the direction fee and moves x·y', () => {
    expect(camelotAmountOut(100_000n, pair)).toBe(181_322n);
    expect(camelotAmountOut(100_000n, { ...pair, feePercent: 2000 })).toBe(178_506n);
    expect(camelotAmountOut(100_000n, { ...pair, feePercent: 0 })).toBe(181_818n);
  });

  it('gives nothing from an empty pair', () => {
    expect(camelotAmountOut(1n, { ...pair, reserveIn: 0n })).toBe(0n);
    expect(camelotAmountOut(1n, { ...pair, reserveOut: 0n })).toBe(0n);
  });
});
