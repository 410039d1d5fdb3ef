import { assessDeposits, type DepositAssessment, type DepositFact, type JobStatus } from '@maker/rules';

/** How money came. Source: contracts, `payment.received`. */
export const DEPOSIT_KINDS = ['transfer', 'internal', 'balance'] as const;

/** Money credited to a job's address, once per `depositId`. */
export interface Deposit extends DepositFact {
  readonly depositId: string;
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

/** The chain has passed the deadline, and payment-watcher looked once more. */
export interface DeadlinePassed {
  /** All that payment-watcher had found in blocks up to the deadline, wei. */
  readonly receivedWei: bigint;
}

/** A job as this service knows it. Times in ms since 1970, amounts in wei. */
export interface Job {
  readonly jobId: string;
  readonly tokenAddress: string;
  /** The one public wallet, EIP-55 checksummed, and its index below the account key. */
  readonly paymentAddress: string;
  readonly walletIndex: number;
  readonly paymentAmountWei: bigint;
  readonly paymentDeadlineMs: number;
  /** As given by the visitor, then as decided at activation; null where there is none. */
  readonly returnAddress: string | null;
  /** As given by the visitor; where there is none, money that pays for no order goes back to whoever sent it. */
  readonly requestedReturnAddress: string | null;
  readonly status: JobStatus;
  /** What the credited deposits amount to; follows each of them, whatever the status. */
  readonly assessment: DepositAssessment;
  /** Sum of the credited deposits that have left the chain since, wei. */
  readonly droppedWei: bigint;
  readonly deadlinePassed?: DeadlinePassed;
  readonly createdAtMs: number;
  /** Present from the moment enough money had been credited in time. */
  readonly activatedAtMs?: number;
  readonly endedAtMs?: number;
  readonly failureReason?: string;
}

/** What a job's deposits amount to before the first one. */
export function noDeposits(paymentAmountWei: bigint): DepositAssessment {
  return assessDeposits([], paymentAmountWei, 0);
}
