import type { BuyTransaction, Pool } from '@maker/chain';
import { expect, it } from 'vitest';
import { type BatchTerms, newOrders, orderTransaction } from './new-orders.ts';
import type { PricedOrder } from './price-orders.ts';

const placedAt = new Date(1000);
const expiresAt = new Date(2000);
const pool = { exchangeId: 'hyperswap-v3', feeTier: 3000 } as Pool;
const first: BatchTerms = { pool, placedAt, expiresAt, retryOf: undefined };
const priced: PricedOrder = { tradeWei: 9n, merged: 1, quotedTokens: 100n, minimumTokens: 99n };
const buy = { to: '0x1', value: 9n, data: '0x7f' } as unknown as BuyTransaction;
const fees = { maxFeePerGasWei: 5n, maxPriorityFeePerGasWei: 1n, gasLimit: 7 };

it('numbers orders after those that the job has signed', () => {
  const orders = newOrders({ id: 'job', ordersSigned: 4 }, [priced, priced], first);
  expect(orders.map(({ number }) => number)).toEqual([5, 6]);
  expect(new Set(orders.map(({ id }) => id)).size).toBe(2);
  expect(orders[0]).toMatchObject({ ...priced, jobId: 'job', exchange: 'hyperswap-v3', placedAt, expiresAt });
  expect(orders[0]).not.toHaveProperty('retryOf');
  const [again] = newOrders({ id: 'job', ordersSigned: 4 }, [priced], { ...first, retryOf: 3 });
  expect(again?.retryOf).toBe(3);
});

it('uses its exchange’s call on the recorded terms', () => {
  const [order] = newOrders({ id: 'job', ordersSigned: 0 }, [priced], first);
  if (!order) throw new Error('one order');
  const terms = { minimumTokens: 99n, quotedTokens: 100n, expiresAt };
  expect(orderTransaction(order, buy, first, fees)).toEqual({
    id: order.id,
    purpose: 'order',
    to: '0x1',
    valueWei: 9n,
    data: '0x7f',
    ...fees,
    terms: { ...terms, feeTier: 3000 },
  });
  const untiered = { ...first, pool: { exchangeId: 'hyperswap-v2' } as Pool, retryOf: 3 };
  // A missing field is left out, not saved as undefined.
  expect(orderTransaction(order, buy, untiered, fees).terms).toStrictEqual({ ...terms, isRetry: true });
});
