import type { Execution, Inclusion, Pause, TransactionRecord } from '@maker/execution-records';
import {
  type Deposit,
  type OrderSums,
  type PublishedRules,
  type ReceiptHead,
  RULES_VERSION,
  type SignedPause,
  type SignedTransfer,
  sumsOf,
} from '@maker/receipt';
import { FEE_PERCENT } from '@maker/rules';
import type { Address } from 'viem';
import { deliveredTo } from '../order/receipt-order.ts';

export interface HeadSources {
  readonly execution: Execution;
  readonly chainId: number;
  /** Final transactions except orders, by nonce. */
  readonly transfers: readonly TransactionRecord[];
  /** Whether a transaction is not final, or a refund is due. */
  readonly isUnfinished: boolean;
  readonly deposits: readonly Deposit[];
  /** All pauses, oldest first. */
  readonly pauses: readonly Pause[];
  readonly orders: OrderSums;
  /** Block of the newest final order. */
  readonly newestOrder: Inclusion | undefined;
}

/** Builds the receipt file without its orders, from the final facts of a job. Source: design § 2.6. */
export function receiptHead(sources: HeadSources): ReceiptHead {
  const { execution, deposits, orders } = sources;
  const transfers = sources.transfers.map(signedTransfer);
  const isFinal = execution.endedAt !== null && execution.ending !== null && !sources.isUnfinished;
  return {
    format: 'maker-receipt-2',
    state: isFinal ? 'final' : 'interim',
    jobId: execution.id,
    chainId: sources.chainId,
    asOf: newestBlock(sources),
    wallet: lower(execution.walletAddress),
    token: {
      address: lower(execution.tokenAddress),
      symbol: execution.token?.symbol ?? '',
      decimals: execution.token?.decimals ?? 18,
    },
    payer: onlySender(deposits),
    returnAddress: execution.returnAddress && lower(execution.returnAddress),
    rules: publishedRules(execution),
    deposits: [...deposits],
    transfers,
    pauses: sources.pauses.map((pause) => signedPause(pause, isFinal ? execution.endedAt : null)),
    ending:
      isFinal && execution.ending && execution.endedAt
        ? { ...execution.ending, at: execution.endedAt.toISOString() }
        : null,
    releasedAt: execution.releasedAt?.toISOString() ?? null,
    heldReason: execution.heldReason,
    sums: sumsOf({ deposits: [...deposits], transfers }, orders),
    agreement: execution.terms ?? null,
  };
}

function publishedRules({ plan, depositWei }: Execution): PublishedRules {
  return {
    version: RULES_VERSION,
    feePercent: Number(FEE_PERCENT),
    paidWei: `${depositWei}`,
    slotMs: plan.slotMs,
    tradingEndsAt: plan.tradingEndsAt.toISOString(),
    latestEndAt: plan.latestEndAt.toISOString(),
    seenPriceX96: plan.seenPriceX96 === null ? null : `${plan.seenPriceX96}`,
    bandBps: plan.bandBps,
    slippageBps: plan.slippageBps,
  };
}

function signedTransfer(transaction: TransactionRecord): SignedTransfer {
  const { purpose, inclusion, nonce, id, to } = transaction;
  if (purpose === 'order' || !inclusion) throw new Error(`${id} is no transfer in a block`);
  return {
    kind: purpose,
    succeeded: inclusion.succeeded,
    nonce,
    transactionHash: inclusion.hash,
    blockNumber: inclusion.blockNumber,
    to: purpose === 'delivery' ? deliveredTo(transaction) : lower(to),
    amount: `${purpose === 'delivery' ? inclusion.sentTokens : inclusion.movedWei}`,
    gasWei: `${inclusion.gasWei}`,
  };
}

/**
 * Converts a pause and cuts it at the job's end. No pause ends before it begins, even if it began after that end or ended on a branch
 * of the chain with earlier times.
 */
function signedPause({ reason, since, until }: Pause, endedAt: Date | null): SignedPause {
  const end = until && endedAt && endedAt < until ? endedAt : (until ?? endedAt);
  return { reason, from: since.toISOString(), to: end && (end < since ? since : end).toISOString() };
}

/** The sender of all deposits that pay for the job; null if there is no single sender. */
function onlySender(deposits: readonly Deposit[]): Address | null {
  const senders = new Set(deposits.filter(({ pays }) => pays).map(({ from }) => from));
  const [only] = senders;
  return senders.size === 1 && only ? only : null;
}

function newestBlock({ transfers, newestOrder }: HeadSources): ReceiptHead['asOf'] {
  const inclusions = [...transfers.map(({ inclusion }) => inclusion), newestOrder];
  const newest = inclusions.reduce<Inclusion | undefined>(
    (latest, one) => (one && one.blockNumber > (latest?.blockNumber ?? -1) ? one : latest),
    undefined,
  );
  if (!newest) return null;
  return { blockNumber: newest.blockNumber, blockHash: newest.blockHash, at: newest.blockAt.toISOString() };
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
