import { describe, expect, it } from 'vitest';
import { AMOUNT, COUNT, EntitySchema, timeAs } from './entity-schema.ts';

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
  const thing: Thing = {
    id: 'thing_1',
    totals: { feeWei: 150_000_000_000_000_000n, boughtTokens: 2n ** 200n },
    attempts: [{ valueWei: 1n, hash: '12' }],
    priceX96: 3n * 2n ** 96n,
    jobId: '77',
    createdAt: new Date(0),
    retries: [3],
  };

  it('are decimal strings of any size', () => {
    const row = schema.toRow(thing);
    expect(row).toMatchObject({ _id: 'thing_1', totals: { feeWei: '150000000000000000' }, jobId: '77' });
    expect(schema.toEntity(row)).toEqual(thing);
  });

  it('may be missing, or null', () => {
    const { id, totals: _, ...rest } = { ...thing, priceX96: null };
    expect(schema.toEntity({ _id: id, ...schema.stored(rest) })).toEqual({ id, ...rest });
  });
});

describe('times in Mongo', () => {
  interface Payment {
    readonly paymentId: string;
    readonly amountWei: bigint;
    readonly paidMs: number;
    readonly from?: string | undefined;
  }
  const fields = { amountWei: AMOUNT, paidMs: timeAs('paidAt'), from: String };
  const payments = new EntitySchema<Payment, 'paymentId'>('payments', fields, 'paymentId');
  const payment: Payment = { paymentId: 'payment_1', amountWei: 5n, paidMs: 1_000 };

  it('are dates and ids by name', () => {
    const row = { _id: 'payment_1', amountWei: '5', paidAt: new Date(1_000) };
    expect(payments.toRow(payment)).toEqual(row);
    expect(payments.toEntity(row)).toEqual(payment);
    expect(payments.path('paidAt')).toMatchObject({ instance: 'Date' });
    expect(payments.path('paidMs')).toBeUndefined();
  });

  it('apply to parts of an entity', () => {
    interface Sample {
      readonly id: string;
      readonly seen: { readonly atMs: number; readonly gas: bigint };
    }
    const samples = new EntitySchema<Sample>('samples', { seen: { atMs: timeAs('at'), gas: COUNT } });
    const sample = { id: 'sample_1', seen: { atMs: 1_000, gas: 7n } };
    const row = { _id: 'sample_1', seen: { at: new Date(1_000), gas: 7 } };
    expect(samples.toRow(sample)).toEqual(row);
    expect(samples.toEntity(row)).toEqual(sample);
    expect(samples.path('seen.at')).toMatchObject({ instance: 'Date' });
  });

  it('apply to lists and added elements', () => {
    interface Watch {
      readonly id: string;
      readonly type: string;
      readonly mentions: readonly { readonly block: number; readonly atMs: number }[];
    }
    const watches = new EntitySchema<Watch>('watches', {
      type: String,
      mentions: [{ _id: false, block: Number, atMs: timeAs('at') }],
    });
    const mention = { block: 7, atMs: 1_000 };
    const watch = { id: 'watch_1', type: 'any', mentions: [mention] };
    const stored = { block: 7, at: new Date(1_000) };
    expect(watches.toRow(watch)).toEqual({ _id: 'watch_1', type: 'any', mentions: [stored] });
    expect(watches.toEntity(watches.toRow(watch))).toEqual(watch);
    expect(watches.stored({ mentions: mention })).toEqual({ mentions: stored });
    expect(watches.path('mentions.at')).toMatchObject({ instance: 'Date' });
  });

  it('apply to a change, without undefined fields', () => {
    expect(payments.stored({ paidMs: 2_000, from: undefined })).toEqual({ paidAt: new Date(2_000) });
  });
});
