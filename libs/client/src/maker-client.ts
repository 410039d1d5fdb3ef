import type { CreatedJob, CreateJobRequest, Job, JobPlan, PlanRequest, TokenValidation } from './api-types.ts';
import { type ClientOptions, request } from './request.ts';
import { type WatchOptions, watchJob } from './watch-job.ts';

export interface CallOptions {
  /** Ends the call with its reason. */
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /**
   * A new UUID v4 for this job, such as `crypto.randomUUID()`. Keep it secret. A repeated call with it returns the first answer with
   * the same `stopSecret`: repeat the call if no answer came. A key that others can guess returns the job without it, or is refused.
   */
  readonly idempotencyKey?: string;
}

/**
 * Calls the API. Every method throws a `MakerError`.
 * @example
 * const maker = new MakerClient({ apiUrl: 'https://api.example.com', apiKey: '…' });
 * const { jobId, paymentAddress } = await maker.createJob({ tokenAddress: '0x…', paymentAmount: 0.25 });
 */
export class MakerClient {
  private readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /** Whether a token can be traded, and where its liquidity is. */
  validateToken(tokenAddress: string, { signal }: CallOptions = {}): Promise<TokenValidation> {
    return request(this.options, { path: '/validate-token', body: { tokenAddress }, signal });
  }

  /** What a job would do, before a payment. */
  plan(body: PlanRequest, { signal }: CallOptions = {}): Promise<JobPlan> {
    return request(this.options, { path: '/plan', body, signal });
  }

  /** Creates a job with its payment address. Keep `stopSecret`: no other call returns it. */
  createJob(body: CreateJobRequest, { idempotencyKey, signal }: CreateOptions = {}): Promise<CreatedJob> {
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return request(this.options, { path: '/jobs/create', body, headers, signal });
  }

  /** Payment, status and receipt of a job. */
  job(jobId: string, { signal }: CallOptions = {}): Promise<Job> {
    return request(this.options, { path: `/jobs/${encodeURIComponent(jobId)}/status`, signal });
  }

  /**
   * Yields each new state of a job until its end. Retries temporary errors.
   * @example
   * for await (const { status } of maker.watchJob(jobId)) console.log(status);
   */
  watchJob(jobId: string, options: WatchOptions = {}): AsyncGenerator<Job, void, undefined> {
    return watchJob(() => this.job(jobId, options), options);
  }
}
