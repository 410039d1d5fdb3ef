import type { Receipt, ReceiptPause, ReceiptTransfer } from '@maker/contracts';
import {
  currentAttempt,
  type Execution,
  expectedBalance,
  gasPaid,
  ORDER_LIFE_MS,
  type Pause,
  qualityOf,
  type TransactionRecord,
} from '@maker/execution-records';
import { estimateOrders, type JobQuality, larger, STANDARD_ORDER_WEI, smaller } from '@maker/rules';

import { deliveredTo, hashOf, statusOf } from '../order/receipt-order.ts';

/** Used until the executor has read the token, and for a token without metadata. */
const UNKNOWN_TOKEN = { symbol: '', decimals: 18 };

interface JobRows {
  /** The fee and the newest other transfers, by nonce. */
  readonly transfers: readonly TransactionRecord[];
  readonly transfersInAll: number;
  /** The newest pauses, oldest first. */
  readonly pauses: readonly Pause[];
  readonly inAll: number;
  /** An operator's pause of the job or of all jobs. */
  readonly byOperator: { readonly since: Date } | null;
}

/** Builds the receipt that the payer sees on the status page. Source: design § 2.6. */
export function buildReceipt(execution: Execution, rows: JobRows): Receipt {
  const { totals, plan, ending } = execution;
  const { transfers, transfersInAll, pauses, inAll, byOperator } = rows;
  const paused = execution.paused ?? (byOperator && { reason: 'operator' as const, since: byOperator.since });
  const trades = execution.phase === 'trading' && !paused;
  return {
    depositWei: (totals.depositWei + totals.surplusWei).toString(),
    // A job that ended before its fee paid none.
    feeWei: (ending ? totals : execution).feeWei.toString(),
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
    heldTokens: larger(0n, totals.boughtWei - totals.deliveredWei).toString(),
    ...(execution.heldReason !== null && { heldReason: execution.heldReason }),
    ...(execution.returnAddress !== null && { returnAddress: execution.returnAddress }),
    transfers: transfers.map(toTransfer),
    transfersInAll,
    rules: {
      ...plan,
      tradingEndsAt: plan.tradingEndsAt.toISOString(),
      latestEndAt: plan.latestEndAt.toISOString(),
      seenPriceX96: plan.seenPriceX96?.toString() ?? null,
      orderLifeSeconds: ORDER_LIFE_MS / 1000,
    },
    pauses: pauses.map((pause) => toReceiptPause(pause, execution)),
    pausesInAll: inAll,
    standardOrders: Math.max(execution.ordersPlaced, Number(totals.orderWei / STANDARD_ORDER_WEI)),
    ...toReceiptQuality(qualityOf(execution)),
    ...(ending && { ending }),
  };
}

function toReceiptQuality(quality: JobQuality | undefined): Pick<Receipt, 'quality'> {
  if (!quality) return {};
  const { shortfall, twapX96, againstSingleSwapBps, againstTwapBps } = quality;
  return {
    quality: {
      arrivalPriceX96: `${quality.arrivalPriceX96}`,
      averagePriceX96: `${quality.averagePriceX96}`,
      slippageBps: asNumber(quality.slippageBps),
      priceImpactBps: asNumber(quality.priceImpactBps),
      shortfall: {
        totalWei: `${shortfall.totalWei}`,
        impactWei: `${shortfall.impactWei}`,
        driftWei: `${shortfall.driftWei}`,
        poolFeeWei: `${shortfall.poolFeeWei}`,
        gasWei: `${shortfall.gasWei}`,
        serviceFeeWei: `${shortfall.serviceFeeWei}`,
      },
      shortfallBps: asNumber(quality.shortfallBps),
      ...(twapX96 !== undefined && { twapX96: `${twapX96}` }),
      ...(againstSingleSwapBps !== undefined && { againstSingleSwapBps: asNumber(againstSingleSwapBps) }),
      ...(againstTwapBps !== undefined && { againstTwapBps: asNumber(againstTwapBps) }),
    },
  };
}

/** Basis points as a number, limited to safe integers: a token's maker can move its price further than that. */
function asNumber(bps: bigint): number {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(larger(-most, smaller(most, bps)));
}

/** Converts a pause. An open pause ends with the job at the latest. */
function toReceiptPause({ reason, since, until }: Pause, { paused, endedAt }: Execution): ReceiptPause {
  const ended = until ?? (paused ? null : endedAt);
  return { reason, since: since.toISOString(), ...(ended && { until: ended.toISOString() }) };
}

function toTransfer(transaction: TransactionRecord): ReceiptTransfer {
  const { purpose, inclusion } = transaction;
  if (purpose === 'order') throw new Error(`${transaction.id} is an order, not a transfer`);
  const moved = purpose === 'delivery' ? (inclusion?.sentTokens ?? 0n) : currentAttempt(transaction).valueWei;
  return {
    kind: purpose === 'refund' ? 'return' : purpose,
    status: statusOf(transaction),
    transactionHash: hashOf(transaction),
    to: purpose === 'delivery' ? deliveredTo(transaction) : transaction.to,
    amount: moved.toString(),
    gasWei: (inclusion?.gasWei ?? 0n).toString(),
    ...(inclusion && { blockNumber: inclusion.blockNumber, minedAt: inclusion.blockAt.toISOString() }),
  };
}
