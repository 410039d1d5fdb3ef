import type { CreateJobRequest } from '@maker/contracts';
import { hypeForBody, hypeNumberToWei, isFinal } from '@maker/rules';
import {
  type ApiClient,
  type CallOptions,
  type CreatedJobAnswer,
  createRequestId,
  getJobPayment,
  isOpenJob,
  keepDraft,
  type OpenJob,
  readDraft,
  type ValidatedToken,
} from '@maker/web-kit';

/** The body of `POST /jobs/create`. @param amountWei wei, valid @param returnAddress as typed, valid or empty */
export function jobRequest(
  token: ValidatedToken,
  amountWei: bigint,
  returnAddress: string,
  returnAddressIsContract = false,
): CreateJobRequest {
  const address = returnAddress.trim();
  return {
    tokenAddress: token.tokenAddress as CreateJobRequest['tokenAddress'],
    paymentAmount: hypeForBody(amountWei),
    ...(address === '' ? {} : { returnAddress: address as `0x${string}` }),
    ...(address !== '' && returnAddressIsContract && { returnAddressIsContract }),
  };
}

/** The created job as the wizard stores it. @param createdAt by the server's clock */
export function openJob(token: ValidatedToken, response: CreatedJobAnswer, createdAt: Date): OpenJob {
  const { jobId, paymentAddress, paymentAmount, paymentDeadline } = response;
  const paymentAmountWei = response.paymentAmountWei ?? hypeNumberToWei(paymentAmount).toString();
  return {
    jobId,
    token,
    paymentAddress,
    paymentAmountWei,
    paymentDeadline,
    createdAt: createdAt.toISOString(),
    ...(response.plan && { plan: response.plan }),
    ...(response.agreement && { agreement: response.agreement }),
    ...(response.stopSecret && { stopSecret: response.stopSecret }),
  };
}

/** Keeps a created job with its request, for a visitor who goes Back. */
export function keepMadeJob(request: CreateJobRequest, job: OpenJob): void {
  keepDraft('job', { content: JSON.stringify(request), job });
}

/**
 * The job that this tab created from the same request, if it can still be paid or runs. A second job would lead the
 * visitor away from the address that they may have paid to.
 */
export async function madeJob(
  api: ApiClient,
  request: CreateJobRequest,
  options: CallOptions,
): Promise<OpenJob | undefined> {
  const { content, job } = (readDraft('job') ?? {}) as Readonly<Record<string, unknown>>;
  if (content !== JSON.stringify(request) || !isOpenJob(job)) return undefined;
  const answer = await getJobPayment(api, job.jobId, options);
  // The payment step shows the error.
  if (!answer.ok) return answer.error.statusCode === 404 ? undefined : job;
  const { status, paymentReceived, paymentDeadline = job.paymentDeadline } = answer.data;
  const isOverdue = status === 'pending_payment' && !paymentReceived && Date.parse(paymentDeadline) < api.clock.now();
  return isFinal(status) || isOverdue ? undefined : job;
}

/**
 * Creates a UUID v4 for one form submission: who repeats the creation with this key gets the stop secret again. Not
 * `crypto.randomUUID`: browsers offer it only to pages served by HTTPS or from localhost.
 */
export function createIdempotencyKey(): string {
  return createRequestId().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}

/**
 * Idempotency keys of one form. The same content keeps its key, so that CONTINUE after a lost answer returns the existing
 * job; other content gets a new key. Source: design § 4 'Address'.
 */
export class IdempotencyKeys {
  private last?: { readonly content: string; readonly key: string };

  constructor(private readonly create: () => string) {}

  /** The key for a request. */
  keyFor(request: CreateJobRequest): string {
    const content = JSON.stringify(request);
    if (this.last?.content !== content) this.last = { content, key: this.create() };
    return this.last.key;
  }
}
