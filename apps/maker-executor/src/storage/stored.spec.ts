import { describe, expect, it } from 'vitest';
import { fromStored, toStored } from './stored.ts';

describe('amounts in Mongo', () => {
  const value = {
    totals: { feeWei: 150_000_000_000_000_000n, boughtTokens: 2n ** 200n },
    attempts: [{ valueWei: 1n, hash: '0x12' }],
    plan: { seenPriceX96: 3n * 2n ** 96n },
    jobId: '77',
    createdAt: new Date(0),
    count: 3,
  };

  it('keeps money as decimal strings, without loss at any size', () => {
    const stored = toStored(value);
    expect(stored.totals.feeWei).toBe('150000000000000000');
    expect(fromStored<typeof value>(stored)).toEqual(value);
  });

  it('leaves texts of digits alone that are no amount', () => {
    expect(fromStored<{ jobId: string }>({ jobId: '77' })).toEqual({ jobId: '77' });
  });
});
