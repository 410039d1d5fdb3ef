import type { DepositTransaction, FoundToken, JobMetadata, JobPlan, SignedTerms } from '@maker/contracts';
import { assessDeposits, type DepositAssessment, type JobStatus, type Pace } from '@maker/rules';
import type { Payment } from '../deposit/payment.ts';

/** A job in this service. Times in ms since 1970, amounts in wei. */
export interface Job {
  readonly jobId: string;
  readonly tokenAddress: string;
  /** The job's wallet, EIP-55 checksummed. `walletIndex` is its index below the account key. */
  readonly paymentAddress: string;
  readonly walletIndex: number;
  readonly paymentAmountWei: bigint;
  readonly paymentDeadlineMs: number;
  /** Given by the visitor, then decided at activation; null if there is none. */
  readonly returnAddress: string | null;
  /** Given by the visitor. If null, money that pays for no order goes back to its sender. */
  readonly requestedReturnAddress: string | null;
  /** Address that the holder of the private code proposes for money of an unknown payer; null if none, and after a release. */
  readonly proposedReturnAddress: string | null;
  readonly status: JobStatus;
  /** Sums and flags of the credited deposits; updated with each deposit in every status. */
  readonly assessment: DepositAssessment;
  /** Sum that payment-watcher sees at the address, credited or not; absent before the first payment. */
  readonly seen?: { readonly amountWei: bigint; readonly revision: number };
  /** Sum of the credited deposits that left the chain, wei. */
  readonly droppedWei: bigint;
  /** Present after the deadline passed on the chain: the sum that payment-watcher reported in blocks up to the deadline, wei. It decides nothing. */
  readonly deadlinePassed?: { readonly receivedWei: bigint };
  /** The payment that activated the job; absent before. */
  readonly payment?: Pick<Payment, 'payer' | 'amountWei'> & {
    /** The first transactions of the payment at its activation, for the receipt. Rows of earlier releases lack them. */
    readonly transactions?: readonly DepositTransaction[];
  };
  /** Time of the newest block of the payment. The plan starts then, so that it does not depend on a service's clock. */
  readonly paidAtMs?: number;
  /** The plan; activation replaces it by one for the paid amount. */
  readonly plan: JobPlan;
  /** The plan of the creation's answer, after activation replaced it: a repeated creation gets it again. */
  readonly offeredPlan?: JobPlan;
  /** Part of all jobs' capacity that the job uses until its end. */
  readonly booked?: Pace;
  /** HYPE at the address on HyperCore by the last search, and whether there was any; absent before the first search. */
  readonly hyperCore?: { readonly amountWei: bigint; readonly checkedAtMs: number; readonly found: boolean };
  /** Tokens that the last search found at the address; absent until a search finds some. */
  readonly foundTokens?: { readonly tokens: readonly FoundToken[]; readonly searchedAtMs: number };
  readonly createdAtMs: number;
  /** What the job was created for, with its amendments, as this service signed them; absent for jobs of earlier releases. Source: docs/adr/0145. */
  readonly terms?: SignedTerms;
  /** Present after enough money was credited in time. */
  readonly activatedAtMs?: number;
  readonly endedAtMs?: number;
  readonly failureReason?: string;
  /** When the payer stopped the job. */
  readonly stopRequestedAtMs?: number;
  /** The creator's own references, passed on unchanged. */
  readonly metadata?: JobMetadata;
}

/** Assessment of a job without deposits. */
export function noDeposits(paymentAmountWei: bigint): DepositAssessment {
  return assessDeposits(0n, 0n, paymentAmountWei);
}

/** Whether a job was paid by an unknown payer and has no return address. Source: design § 4 'Return address'. */
export function isPayerUnknown({ payment, returnAddress }: Pick<Job, 'payment' | 'returnAddress'>): boolean {
  return payment?.payer === null && returnAddress === null;
}

/** Failure reason of a job that its payer stopped. It replaces maker-executor's message. */
export const STOPPED_BY_PAYER = 'The payer stopped this job';

/** Failure reason of a job that operators cancelled. It replaces maker-executor's message. */
export const CANCELLED_BY_OPERATOR = 'An operator cancelled this job';
