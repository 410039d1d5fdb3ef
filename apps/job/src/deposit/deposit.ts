import type { ClaimedTransferMessage } from '@maker/contracts';
import { isSystemAddress } from '@maker/rules';
import type { Hash } from 'viem';

/** How money arrived. Source: contracts, `payment.received`. */
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
  readonly transactionHash?: Hash;
  readonly blockNumber: number;
  /** Rises by 1 each time that the deposit is mined again; the highest received is valid. */
  readonly occurrence: number;
  /** Its block left the chain, so the deposit counts only if it is mined again. */
  readonly dropped: boolean;
  /** Purpose of the money: {@link PAYS_FOR_JOB} or the id of its refund. Absent until the service decides it. */
  readonly claimedBy?: string;
}

/**
 * Sender of a plain transfer; undefined for money of a contract or the system, whose sender is unknown. A system address is
 * never a payer, because money sent to it reaches no one. Source: hyperevm § 1.2.
 */
export function senderOf({ kind, from }: Pick<Deposit, 'kind' | 'from'>): string | undefined {
  return kind === 'transfer' && from !== undefined && !isSystemAddress(from) ? from : undefined;
}

/** Transfers that prove the sender of deposits. A deposit without a transaction proves nothing; maker-executor holds its money. */
export function transfersOf(deposits: readonly Deposit[]): ClaimedTransferMessage[] {
  return deposits.flatMap(({ transactionHash, amountWei }) =>
    transactionHash === undefined ? [] : { transactionHash, amountWei: amountWei.toString() },
  );
}

/**
 * Whether a report of a deposit is newer than the stored one: a higher occurrence, or a drop of the same occurrence.
 * So messages may arrive in any order.
 */
export function isNewer(
  reported: Pick<Deposit, 'occurrence' | 'dropped'>,
  known: Pick<Deposit, 'occurrence' | 'dropped'>,
): boolean {
  if (reported.occurrence !== known.occurrence) return reported.occurrence > known.occurrence;
  return reported.dropped && !known.dropped;
}

/** `claimedBy` of the deposits that activated a job: its execution accounts for them. */
export const PAYS_FOR_JOB = 'job';
