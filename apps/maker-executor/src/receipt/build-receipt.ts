import type { Receipt, ReceiptOrder, ReceiptTransfer } from '@maker/contracts';
import { estimateOrders } from '@maker/rules';
import type { Execution } from '../execution/execution.ts';
import { expectedBalance, gasPaid } from '../ledger/ledger-entry.ts';
import type { Order } from '../order/order.ts';
import { currentAttempt, type TransactionRecord, wasReverted } from '../transaction/transaction.ts';

/** Shown until the token was read, and for one that has no metadata. */
const UNKNOWN_TOKEN = { symbol: '', decimals: 18 };

/** What the maker did so far for a job, as the payer sees it. Source: design § 2.6. */
export function buildReceipt(
  execution: Execution,
  transfers: readonly TransactionRecord[],
  pausedByOperator: { readonly since: Date } | null = execution.operatorPause,
): Receipt {
  const { totals } = execution;
  const paused =
    execution.paused ?? (pausedByOperator && { reason: 'operator' as const, since: pausedByOperator.since });
  const trades = execution.phase === 'trading' && !paused;
  return {
    depositWei: (totals.depositWei + totals.surplusWei).toString(),
    feeWei: execution.feeWei.toString(),
    orderBudgetWei: execution.orderBudgetWei.toString(),
    plannedOrders: execution.plannedOrders,
    estimate: estimateOrders(execution.depositWei),
    ordersPlaced: execution.ordersPlaced,
    ordersFailed: execution.ordersFailed,
    tradedWei: totals.orderWei.toString(),
    gasWei: gasPaid(totals).toString(),
    tokensBought: totals.boughtWei.toString(),
    token: { address: execution.tokenAddress, ...(execution.token ?? UNKNOWN_TOKEN) },
    intervalSeconds: execution.plan.slotMs / 1000,
    ...(trades && execution.nextOrderAtMs !== null && { nextOrderAt: new Date(execution.nextOrderAtMs).toISOString() }),
    ...(paused && { paused: { reason: paused.reason, since: paused.since.toISOString() } }),
    deliveredTokens: totals.deliveredWei.toString(),
    returnedWei: totals.returnedWei.toString(),
    heldWei: expectedBalance(totals).toString(),
    ...(execution.heldReason !== null && { heldReason: execution.heldReason }),
    ...(execution.returnAddress !== null && { returnAddress: execution.returnAddress }),
    transfers: transfers.map(toTransfer),
  };
}

/** An order and its transaction as the receipt shows them. */
export function toReceiptOrder(order: Order, transaction: TransactionRecord): ReceiptOrder {
  const { inclusion } = transaction;
  return {
    number: order.number,
    status: statusOf(transaction),
    transactionHash: hashOf(transaction),
    exchange: order.exchange,
    tradeWei: order.tradeWei.toString(),
    gasWei: (inclusion?.gasWei ?? 0n).toString(),
    tokensBought: (inclusion?.receivedTokens ?? 0n).toString(),
    placedAt: order.placedAt.toISOString(),
    ...(inclusion && { blockNumber: inclusion.blockNumber, minedAt: inclusion.blockAt.toISOString() }),
  };
}

function toTransfer(transaction: TransactionRecord): ReceiptTransfer {
  const { purpose, inclusion } = transaction;
  if (purpose === 'order') throw new Error(`${transaction.id} is an order, not a transfer`);
  const moved = purpose === 'delivery' ? (inclusion?.sentTokens ?? 0n) : currentAttempt(transaction).valueWei;
  return {
    kind: purpose,
    status: statusOf(transaction),
    transactionHash: hashOf(transaction),
    to: transaction.to,
    amount: moved.toString(),
    gasWei: (inclusion?.gasWei ?? 0n).toString(),
  };
}

function statusOf(transaction: TransactionRecord): ReceiptOrder['status'] {
  return wasReverted(transaction) ? 'failed' : transaction.state;
}

function hashOf(transaction: TransactionRecord): ReceiptOrder['transactionHash'] {
  return transaction.inclusion?.hash ?? currentAttempt(transaction).hash;
}
