import type { ClaimedTransferMessage } from '@maker/contracts';
import { isSystemAddress } from '@maker/rules';

/** How money came. Source: contracts, `payment.received`. */
export const DEPOSIT_KINDS = ['transfer', 'internal', 'system', 'balance'] as const;

/** Money credited to a job's address, once per `depositId`. */
export interface Deposit {
  readonly depositId: string;
  readonly amountWei: bigint;
  /** Timestamp of the block that holds it, ms. */
  readonly blockTimestampMs: number;
  readonly kind: (typeof DEPOSIT_KINDS)[number];
  /** Sender of a plain transfer. */
  readonly from?: string;
  readonly transactionHash?: string;
  readonly blockNumber: number;
  /** One more for each time that it was mined again; the highest that was heard of is what holds. */
  readonly occurrence: number;
  /** Its block has left the chain, and with it the money: it counts for nothing unless it is mined again. */
  readonly dropped: boolean;
  /** What the money is for: {@link PAYS_FOR_JOB}, or the id of the refund it is part of. Absent until that is decided. */
  readonly claimedBy?: string;
}

/**
 * Who sent a plain transfer; undefined for money of a contract or the system, which nobody can be named for. What is sent to a
 * system address reaches nobody either, so that none is ever a payer. Source: hyperevm § 1.2.
 */
export function senderOf({ kind, from }: Pick<Deposit, 'kind' | 'from'>): string | undefined {
  return kind === 'transfer' && from !== undefined && !isSystemAddress(from) ? from : undefined;
}

/** The transfers that prove who sent some deposits. One without a transaction proves nothing, and maker-executor holds its money. */
export function transfersOf(deposits: readonly Deposit[]): ClaimedTransferMessage[] {
  return deposits.flatMap(({ transactionHash, amountWei }) =>
    transactionHash === undefined ? [] : { transactionHash, amountWei: amountWei.toString() },
  );
}

/**
 * Whether something newer was heard of a deposit than what is known: a higher occurrence, or that this one was dropped.
 * By it the order in which messages come does not matter.
 */
export function isNewer(
  heard: Pick<Deposit, 'occurrence' | 'dropped'>,
  known: Pick<Deposit, 'occurrence' | 'dropped'>,
): boolean {
  if (heard.occurrence !== known.occurrence) return heard.occurrence > known.occurrence;
  return heard.dropped && !known.dropped;
}

/** Claim of the deposits that a job was activated with: its execution accounts for them. */
export const PAYS_FOR_JOB = 'job';
