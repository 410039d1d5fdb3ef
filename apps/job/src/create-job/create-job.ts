import { createHash } from 'node:crypto';
import type { JobMetadata, JobPlan } from '@maker/contracts';
import { RequestFailure } from '@maker/messaging';
import { type Job, noDeposits } from '../job/job.ts';
import type { ClaimedJob, IdempotencyClaim } from '../job/jobs.repository.ts';

export interface JobRequest {
  /** Lower case. */
  readonly tokenAddress: string;
  readonly paymentAmountWei: bigint;
  /** Lower case. */
  readonly returnAddress?: string | undefined;
  /** The payer knows that the return address is a contract. */
  readonly returnAddressIsContract?: boolean | undefined;
  readonly metadata?: JobMetadata | undefined;
  /** Hash of a stop secret that the client keeps to itself. */
  readonly stopSecretHash?: string | undefined;
}

/** An idempotency key was used for another request before. Source: docs/adr/0004. */
export class IdempotencyKeyReused extends RequestFailure {
  constructor() {
    super('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for another job; use a new key for a new request');
  }
}

/** The return address is the wallet of another job, where the returned money would count as a payment. Source: design § 2.1. */
export class ReturnAddressIsWallet extends RequestFailure {
  constructor() {
    super('INVALID_REQUEST', 'This is the payment address of a job: enter an address of your own');
  }
}

/** Too many unpaid jobs: of the client, or of all clients. */
export class TooManyUnpaidJobs extends RequestFailure {
  constructor(message: string) {
    super('TOO_MANY_OPEN_JOBS', message);
  }
}

/** Too many creations wait: this one would time out in the queue. */
export class TooManyCreations extends RequestFailure {
  constructor() {
    super('OVERLOADED', 'Very many jobs are being created at this moment: please try again in a minute');
  }
}

type UnpaidJobs = Readonly<Record<'ofClient' | 'inAll', number>>;

/**
 * Refuses a job beyond the limits. Each unpaid job is watched on the chain, and costs its creator nothing.
 * @param isServerKey whether the client is a server's API key, and no address
 * @throws TooManyUnpaidJobs
 */
export function assertFewUnpaid(now: UnpaidJobs, most: UnpaidJobs, isServerKey = false): void {
  if (now.ofClient >= most.ofClient) {
    const whose = isServerKey ? 'of your API key' : 'from your address';
    throw new TooManyUnpaidJobs(
      `${now.ofClient} jobs ${whose} wait for their payment: pay one of them, or wait until its time is over`,
    );
  }
  if (now.inAll >= most.inAll) {
    throw new TooManyUnpaidJobs(
      'Very many jobs wait for their payment at this moment: please try again in some minutes',
    );
  }
}

/**
 * Deadline of a job's payment, ms. Block times decide whether a payment is in time, so a chain clock ahead of the
 * server's clock must not shorten the visitor's time. Source: design § 4 'Deadline'. All in ms.
 */
export function paymentDeadline(nowMs: number, chainTimeMs: number, paymentTimeoutMs: number): number {
  return Math.max(nowMs, chainTimeMs) + paymentTimeoutMs;
}

/** @param wallets of jobs, in lower case @throws ReturnAddressIsWallet */
export function assertNoWallet({ returnAddress }: JobRequest, wallets: ReadonlySet<string>): void {
  if (returnAddress !== undefined && wallets.has(returnAddress)) throw new ReturnAddressIsWallet();
}

/** Finds the earlier job of a claim. @throws IdempotencyKeyReused if the earlier request was different */
export function jobUnderClaim(claim: IdempotencyClaim, claimed: readonly ClaimedJob[]): Job | undefined {
  const earlier = claimed.find(
    (one) => one.claim.apiKeyName === claim.apiKeyName && one.claim.keyHash === claim.keyHash,
  );
  if (earlier && earlier.claim.requestHash !== claim.requestHash) throw new IdempotencyKeyReused();
  return earlier?.job;
}

/** Hash of all fields of a request. It distinguishes two requests with the same idempotency key. */
export function hashRequest(request: JobRequest): string {
  const metadata = Object.entries(request.metadata ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  const { tokenAddress, paymentAmountWei, returnAddress = null, stopSecretHash = null } = request;
  const fields = [tokenAddress, paymentAmountWei.toString(), returnAddress, metadata, stopSecretHash];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** Makes a new job, which waits for its payment. */
export function newJob(
  request: JobRequest,
  wallet: { readonly index: number; readonly address: string },
  times: { readonly nowMs: number; readonly deadlineMs: number },
  jobId: string,
  plan: JobPlan,
): Job {
  return {
    jobId,
    tokenAddress: request.tokenAddress,
    paymentAddress: wallet.address,
    walletIndex: wallet.index,
    paymentAmountWei: request.paymentAmountWei,
    paymentDeadlineMs: times.deadlineMs,
    returnAddress: request.returnAddress ?? null,
    requestedReturnAddress: request.returnAddress ?? null,
    proposedReturnAddress: null,
    status: 'pending_payment',
    assessment: noDeposits(request.paymentAmountWei),
    droppedWei: 0n,
    plan,
    createdAtMs: times.nowMs,
    ...(request.metadata && { metadata: request.metadata }),
  };
}
