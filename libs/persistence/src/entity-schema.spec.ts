import { describe, expect, it } from 'vitest';
import { AMOUNT, EntitySchema, toStored } from './entity-schema.ts';

interface Thing {
  readonly id: string;
  readonly totals: { readonly feeWei: bigint; readonly boughtTokens: bigint };
  readonly attempts: readonly { readonly valueWei: bigint; readonly hash: string }[];
  readonly priceX96: bigint | null;
  readonly jobId: string;
  readonly createdAt: Date;
  readonly retries: readonly number[];
}

const schema = new EntitySchema<Thing>('things', {
  totals: { feeWei: AMOUNT, boughtTokens: AMOUNT },
  attempts: [{ valueWei: AMOUNT, hash: String }],
  priceX96: AMOUNT,
  jobId: String,
  createdAt: Date,
  retries: [Number],
});

describe('amounts in Mongo', () => {
  const { id, ...thing }: Thing = {
    id: 'thing_1',
    totals: { feeWei: 150_000_000_000_000_000n, boughtTokens: 2n ** 200n },
    attempts: [{ valueWei: 1n, hash: '12' }],
    priceX96: 3n * 2n ** 96n,
    jobId: '77',
    createdAt: new Date(0),
    retries: [3],
  };

  it('are decimal strings, without loss at any size, and texts of digits that are no amount stay texts', () => {
    const stored = toStored(thing);
    expect(stored.totals.feeWei).toBe('150000000000000000');
    expect(schema.toEntity({ _id: id, ...stored })).toEqual({ id, ...thing });
  });

  it('may be missing, or null', () => {
    const { totals: _, ...rest } = { ...thing, priceX96: null };
    expect(schema.toEntity({ _id: id, ...toStored(rest) })).toEqual({ id, ...rest });
  });
});
