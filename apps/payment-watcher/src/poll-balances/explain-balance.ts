import { isInTime, WEI_PER_HYPE } from '@maker/rules';
import type { Deposit } from '../deposit/deposit.ts';
import type { BalanceFact } from '../scan/scan-state.ts';
import type { MentionFact, Watch } from '../watch/watch.ts';

/** Result of comparing a balance with the known deposits. */
export type BalanceExplanation =
  /** The address spends: its balance proves no deposit. */
  | { readonly kind: 'spending' }
  | { readonly kind: 'explained' }
  /** Less than the known deposits, though nothing was sent: a counted deposit is not on the chain. */
  | { readonly kind: 'shortfall'; readonly missingWei: bigint }
  /** More than the known deposits. */
  | { readonly kind: 'surplus'; readonly surplusWei: bigint };

/**
 * Compares a balance with the known deposits up to the same block.
 * @param knownWei sum of seen and credited deposits in blocks up to the balance's
 */
export function explainBalance(watch: Watch, fact: BalanceFact, knownWei: bigint): BalanceExplanation {
  if (watch.spendingSinceBlock !== null && watch.spendingSinceBlock <= fact.blockNumber) {
    return { kind: 'spending' };
  }
  const surplusWei = fact.balanceWei - knownWei;
  if (surplusWei > 0n) return { kind: 'surplus', surplusWei };
  return surplusWei < 0n ? { kind: 'shortfall', missingWei: -surplusWei } : { kind: 'explained' };
}

/** Smallest surplus for a search of system transactions. The search takes a request per block, too many for dust. */
const LEAST_CREDIT_WEI = WEI_PER_HYPE / 100n;

/** Whether to search for a surplus among HyperCore credits: no transaction named the address, and it is worth the requests. */
export function mayBeCredit(watch: Watch, surplusWei: bigint, blockNumber: number): boolean {
  return surplusWei >= LEAST_CREDIT_WEI && !watch.mentions.some((mention) => mention.blockNumber <= blockNumber);
}

/**
 * Returns a surplus as a deposit. Its id is (address, balance reached): the wallet sent nothing, so its balance never reaches
 * a value twice. The earliest transaction that named the address counts as its cause, in the payer's favour.
 */
export function depositOfSurplus(watch: Watch, fact: BalanceFact, surplusWei: bigint): Deposit {
  const cause = watch.mentions
    .filter(({ blockNumber }) => blockNumber <= fact.blockNumber)
    .toSorted((a, b) => a.blockNumber - b.blockNumber)[0];
  return {
    depositId: `${watch.address}:balance:${fact.balanceWei}`,
    address: watch.address,
    jobId: watch.jobId,
    amountWei: surplusWei,
    occurrence: 1,
    seenAtBlock: fact.blockNumber,
    ...(watch.readAtBlock !== null && { sinceBlock: watch.readAtBlock + 1 }),
    ...(cause ? internal(cause) : rise(watch, fact)),
  };
}

function internal({ transactionHash, blockNumber, blockAtMs }: MentionFact) {
  return { kind: 'internal', transactionHash, blockNumber, blockAtMs } as const;
}

/**
 * A balance rise may be in any block between two readings. If the deadline is between them, the rise counts as in time:
 * a payment mined before the deadline counts even if the watcher or the node was down then (design § 4).
 */
function rise(watch: Watch, { blockNumber, timestampMs }: BalanceFact) {
  const previousReadMs = watch.readAt?.getTime() ?? watch.createdAtMs;
  const mayBeInTime = isInTime(previousReadMs, watch.deadlineMs);
  const blockAtMs = mayBeInTime ? Math.min(timestampMs, watch.deadlineMs) : timestampMs;
  return { kind: 'balance', blockNumber, blockAtMs } as const;
}
