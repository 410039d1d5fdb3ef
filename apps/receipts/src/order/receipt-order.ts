import { erc20Abi } from '@maker/chain';
import type { ReceiptOrder } from '@maker/contracts';
import { currentAttempt, type Order, type TransactionRecord, wasReverted } from '@maker/execution-records';
import { priceOf } from '@maker/rules';
import { type Address, decodeFunctionData } from 'viem';

/** Converts an order and its transaction for the receipt. */
export function toReceiptOrder(order: Order, transaction: TransactionRecord): ReceiptOrder {
  const { inclusion } = transaction;
  const received = inclusion?.receivedTokens ?? 0n;
  return {
    number: order.number,
    status: statusOf(transaction),
    transactionHash: hashOf(transaction),
    exchange: order.exchange,
    tradeWei: order.tradeWei.toString(),
    gasWei: (inclusion?.gasWei ?? 0n).toString(),
    tokensBought: received.toString(),
    quotedTokens: order.quotedTokens.toString(),
    minimumTokens: order.minimumTokens.toString(),
    ...(received > 0n && { priceX96: priceOf(order.tradeWei, received).toString() }),
    ...(inclusion?.trade && {
      poolPriceBeforeX96: `${inclusion.trade.priceBeforeX96}`,
      poolPriceAfterX96: `${inclusion.trade.priceAfterX96}`,
      poolFeeWei: `${inclusion.trade.poolFeeWei}`,
    }),
    merged: order.merged,
    ...(order.retryOf !== undefined && { retryOf: order.retryOf }),
    ...(wasReverted(transaction) && { failure: failureOf(order, transaction) }),
    placedAt: order.placedAt.toISOString(),
    ...(inclusion && { blockNumber: inclusion.blockNumber, minedAt: inclusion.blockAt.toISOString() }),
  };
}

function failureOf({ expiresAt }: Order, { attempts, inclusion }: TransactionRecord): ReceiptOrder['failure'] {
  if (attempts.find(({ hash }) => hash === inclusion?.hash)?.isVoid) return 'withdrawn';
  return inclusion && inclusion.blockAt > expiresAt ? 'expired' : 'reverted';
}

/** Status of a transaction in the receipt. */
export function statusOf(transaction: TransactionRecord): ReceiptOrder['status'] {
  return wasReverted(transaction) ? 'failed' : transaction.state;
}

/** Hash of the mined attempt, or of the newest one. */
export function hashOf(transaction: TransactionRecord): ReceiptOrder['transactionHash'] {
  return transaction.inclusion?.hash ?? currentAttempt(transaction).hash;
}

/** Recipient of delivered tokens, from the call: the transaction's own recipient is the token. */
export function deliveredTo({ id, data }: TransactionRecord): Address {
  const call = decodeFunctionData({ abi: erc20Abi, data });
  if (call.functionName !== 'transfer') throw new Error(`${id} sends no tokens`);
  return call.args[0].toLowerCase() as Address;
}
