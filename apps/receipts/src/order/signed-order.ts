import type { Inclusion, Order, TransactionRecord } from '@maker/execution-records';
import type { SignedOrder } from '@maker/receipt';
import { priceOf } from '@maker/rules';

/** Converts an order with a final transaction for the receipt file. @throws Error if the transaction is in no block */
export function signedOrder(order: Order, transaction: TransactionRecord): SignedOrder {
  const { inclusion, nonce } = transaction;
  if (!inclusion) throw new Error(`Order ${order.id} is in no block`);
  const { receivedTokens } = inclusion;
  return {
    number: order.number,
    result: resultOf(transaction, inclusion),
    venue: order.exchange,
    nonce,
    transactionHash: inclusion.hash,
    blockNumber: inclusion.blockNumber,
    minedAt: inclusion.blockAt.toISOString(),
    tradeWei: `${order.tradeWei}`,
    quotedTokens: `${order.quotedTokens}`,
    minimumTokens: `${order.minimumTokens}`,
    receivedTokens: `${receivedTokens}`,
    priceX96: receivedTokens === 0n ? null : `${priceOf(order.tradeWei, receivedTokens)}`,
    gasWei: `${inclusion.gasWei}`,
  };
}

function resultOf({ attempts }: TransactionRecord, { hash, succeeded }: Inclusion): SignedOrder['result'] {
  if (attempts.some((attempt) => attempt.hash === hash && attempt.isVoid)) return 'voided';
  return succeeded ? 'filled' : 'reverted';
}
