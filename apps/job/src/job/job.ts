import type { ClaimedTransferMessage, FoundToken, JobMetadata, JobPlan } from '@maker/contracts';
import { assessDeposits, type DepositAssessment, type JobStatus, type Pace } from '@maker/rules';
import type { Payment } from '../deposit/payment.ts';

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
  /** Where the holder of the private link asks money of an unknown payer to go; null where nowhere, or operators released it. */
  readonly proposedReturnAddress: string | null;
  readonly status: JobStatus;
  /** What the credited deposits amount to; follows each of them, whatever the status. */
  readonly assessment: DepositAssessment;
  /** All that payment-watcher sees at its address, credited or not; absent before the first payment. */
  readonly seen?: { readonly amountWei: bigint; readonly revision: number };
  /** Sum of the credited deposits that have left the chain since, wei. */
  readonly droppedWei: bigint;
  /** The chain has passed the deadline, and payment-watcher looked once more: all that it had found in blocks up to it, wei. */
  readonly deadlinePassed?: { readonly receivedWei: bigint };
  /** What it was activated with; absent before. */
  readonly payment?: Pick<Payment, 'payer' | 'amountWei'> & {
    /** The first of its transactions, for the receipt. Rows of earlier releases lack them. */
    readonly transactions?: readonly ClaimedTransferMessage[];
  };
  /** Time of the newest block of its payment: where its plan starts, whatever the clock of a service says. */
  readonly paidAtMs?: number;
  /** What it will do; made anew for what was paid. */
  readonly plan: JobPlan;
  /** What it uses of all jobs' capacity until its end. */
  readonly booked?: Pace;
  /** HYPE at its address on HyperCore by the last search, and whether there was any; absent before the first search. */
  readonly hyperCore?: { readonly amountWei: bigint; readonly checkedAtMs: number; readonly found: boolean };
  /** Tokens that the last search found at its address; absent until one found some. */
  readonly foundTokens?: { readonly tokens: readonly FoundToken[]; readonly searchedAtMs: number };
  readonly createdAtMs: number;
  /** Present from the moment enough money had been credited in time. */
  readonly activatedAtMs?: number;
  readonly endedAtMs?: number;
  readonly failureReason?: string;
  /** When its payer asked for its end. */
  readonly stopRequestedAtMs?: number;
  /** Its creator's own references, passed on as they came. */
  readonly metadata?: JobMetadata;
}

/** What a job's deposits amount to before the first one. */
export function noDeposits(paymentAmountWei: bigint): DepositAssessment {
  return assessDeposits(0n, 0n, paymentAmountWei);
}

/** Whether a job was paid, and nobody can be named to whom its tokens and change go. Source: design § 4 'Return address'. */
export function isPayerUnknown({ payment, returnAddress }: Pick<Job, 'payment' | 'returnAddress'>): boolean {
  return payment?.payer === null && returnAddress === null;
}

/** What is told of a job that its payer ended, instead of what maker-executor says of a cancelled one. */
export const STOPPED_BY_PAYER = 'The payer stopped this job';

/** What the job answers about one that operators cancelled. */
export const CANCELLED_BY_OPERATOR = 'An operator cancelled this job';
