import { isInTime, WEI_PER_HYPE } from '@maker/rules';
import type { Deposit } from '../deposit/deposit.ts';
import type { BalanceFact } from '../scan/scan-state.ts';
import type { MentionFact, Watch } from '../watch/watch.ts';

/** What a balance says. */
export type BalanceExplanation =
  /** The address spends: its balance says nothing about what came in. */
  | { readonly kind: 'spending' }
  | { readonly kind: 'explained' }
  /** Less than what arrived, though nothing was sent: something was counted that the chain does not have. */
  | { readonly kind: 'shortfall'; readonly missingWei: bigint }
  /** More than the deposits that are known. */
  | { readonly kind: 'surplus'; readonly surplusWei: bigint };

/**
 * Compares a balance with what is known to have arrived up to the same block.
 * @param knownWei sum of every deposit in blocks up to the balance's, credited or only seen
 */
export function explainBalance(watch: Watch, fact: BalanceFact, knownWei: bigint): BalanceExplanation {
  if (watch.spendingSinceBlock !== null && watch.spendingSinceBlock <= fact.blockNumber) {
    return { kind: 'spending' };
  }
  const surplusWei = fact.balanceWei - knownWei;
  if (surplusWei > 0n) return { kind: 'surplus', surplusWei };
  return surplusWei < 0n ? { kind: 'shortfall', missingWei: -surplusWei } : { kind: 'explained' };
}

/** Less is not searched for in system transactions, which takes a request a block: dust would make many of them, for nothing. */
const LEAST_CREDIT_WEI = WEI_PER_HYPE / 100n;

/** Whether a surplus is searched for among credits from HyperCore: no transaction named the address, and it is worth the requests. */
export function mayBeCredit(watch: Watch, surplusWei: bigint, blockNumber: number): boolean {
  return surplusWei >= LEAST_CREDIT_WEI && !watch.mentions.some((mention) => mention.blockNumber <= blockNumber);
}

/**
 * The deposit that a surplus is. Its id is (address, balance reached): nothing was sent, so the balance never reaches
 * a height twice. A transaction that named the address is taken as its cause; the earliest, in the payer's favour.
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
    ...(cause ? internal(cause) : rise(watch, fact)),
  };
}

function internal({ transactionHash, blockNumber, blockAtMs }: MentionFact) {
  return { kind: 'internal', transactionHash, blockNumber, blockAtMs } as const;
}

/**
 * A balance that rose between two readings may have done so in any block between them. Where the deadline lies between
 * them, it counts as in time: a payment mined before the deadline counts, whoever was down then (design § 4).
 */
function rise(watch: Watch, { blockNumber, timestampMs }: BalanceFact) {
  const previousReadMs = watch.readAt?.getTime() ?? watch.createdAtMs;
  const mayBeInTime = isInTime(previousReadMs, watch.deadlineMs);
  const blockAtMs = mayBeInTime ? Math.min(timestampMs, watch.deadlineMs) : timestampMs;
  return { kind: 'balance', blockNumber, blockAtMs } as const;
}
