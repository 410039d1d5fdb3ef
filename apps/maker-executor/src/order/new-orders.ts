import type { BuyTransaction, Pool } from '@maker/chain';
import { type Execution, type Order, orderId, type PlannedTransaction } from '@maker/execution-records';
import type { Fees } from '../wallet/fees.ts';
import type { PricedOrder } from './price-orders.ts';

/** Terms that all orders of one batch share. */
export interface BatchTerms {
  readonly pool: Pool;
  readonly placedAt: Date;
  readonly expiresAt: Date;
  readonly retryOf: number | undefined;
}

/** Returns new orders, numbered after those that the job has signed. */
export function newOrders(
  { id, ordersSigned }: Pick<Execution, 'id' | 'ordersSigned'>,
  priced: readonly PricedOrder[],
  { pool, placedAt, expiresAt, retryOf }: BatchTerms,
): readonly Order[] {
  return priced.map((order, index) => {
    const number = ordersSigned + index + 1;
    return {
      ...order,
      id: orderId(id, number),
      jobId: id,
      number,
      exchange: pool.exchangeId,
      placedAt,
      expiresAt,
      ...(retryOf !== undefined && { retryOf }),
    };
  });
}

/** Returns the transaction that fills an order. @param gasLimit units of gas */
export function orderTransaction(
  { id, minimumTokens, quotedTokens }: Order,
  { to, value, data }: BuyTransaction,
  { pool, expiresAt, retryOf }: BatchTerms,
  { gasLimit, ...fees }: Fees & { readonly gasLimit: number },
): PlannedTransaction {
  return {
    id,
    purpose: 'order',
    to,
    valueWei: value,
    data,
    gasLimit,
    ...fees,
    terms: {
      minimumTokens,
      expiresAt,
      quotedTokens,
      ...(pool.feeTier !== undefined && { feeTier: pool.feeTier }),
      ...(retryOf !== undefined && { isRetry: true }),
    },
  };
}
