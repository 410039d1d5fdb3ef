import {
  getJobPayment,
  getJobPayments,
  getStats,
  type JobChanges,
  type JobStatusResponse,
  MOST_PAYMENTS_ASKED,
} from '@maker/contracts';
import { ChangesListener, RequestClient } from '@maker/messaging';
import { Inject, Injectable } from '@nestjs/common';
import { REQUEST_TIMEOUT } from '../configuration.ts';
import { GatewayMetrics, type SnapshotView } from '../gateway.metrics.ts';
import { BatchLoader } from './batch-loader.ts';
import { ChainReach } from './chain-reach.ts';
import { InvalidationFeeds } from './invalidation-feeds.ts';
import { JobStatusReader } from './job-status.reader.ts';
import { ReadThroughCache, type ReadThroughCacheOptions } from './read-through-cache.ts';
import { Semaphore } from './semaphore.ts';

/** How long a value is served while no feed is complete, and a status with its receipt in any case, ms. */
const AGE_MS = 1000;
/** Most cached jobs, of about 800 bytes each. */
const MAX_JOBS = 100_000;
const STATS_KEY = 'stats';
/** Jobs with concurrent requests: their payments in two batches, their statuses one by one. Enough to use the job service, and few enough that it still publishes changes. */
const MOST_AT_ONCE = { payments: 2 * MOST_PAYMENTS_ASKED, statuses: 16 };
/** A longer request no longer counts for that limit, ms. */
const LONGEST_HOLD_MS = 250;

/** Monotonic clock, because ages must not depend on changes of the system time. */
const now = () => performance.now();

/**
 * Caches of polled answers, as the text to send. A cache reads a value once, drops it when the job service reports a write of the
 * job, and serves it for 1 s at most while no feed is complete. Each replica receives every feed.
 * Source: design § 3; docs/adr/0031.
 */
@Injectable()
export class StatusSnapshot {
  private readonly payments: ReadThroughCache<string>;
  private readonly statuses: ReadThroughCache<JobStatusResponse>;
  private readonly stats: ReadThroughCache<string>;
  private readonly feeds = new InvalidationFeeds(now);
  private readonly reach = new ChainReach(now);
  private readonly listeners: ((jobId: string) => void)[] = [];

  constructor(
    changes: ChangesListener,
    requests: RequestClient,
    reader: JobStatusReader,
    metrics: GatewayMetrics,
    @Inject(REQUEST_TIMEOUT) requestTimeoutMs: number,
  ) {
    const isRecent = (requestedAtMs: number) => now() - requestedAtMs < AGE_MS;
    const isCurrent = (requestedAtMs: number) => this.feeds.isCompleteSince(requestedAtMs) || isRecent(requestedAtMs);
    const cacheOf = <Value>(
      view: SnapshotView,
      isValid: ReadThroughCacheOptions<Value>['isValid'],
      load: ReadThroughCacheOptions<Value>['load'],
      semaphore?: Semaphore,
    ) =>
      new ReadThroughCache<Value>({
        isValid,
        maxEntries: MAX_JOBS,
        now,
        load,
        semaphore,
        onRead: (outcome) => metrics.snapshotRead(view, outcome),
      });
    const semaphoreOf = (most: number, longestWaitMs: number) =>
      new Semaphore({ most, longestHoldMs: LONGEST_HOLD_MS, longestWaitMs, now });
    // The other half of the timeout is for the answer.
    const paymentSemaphore = semaphoreOf(MOST_AT_ONCE.payments, requestTimeoutMs / 2);
    // Live channels of a replaced gateway reconnect at the same time. They may wait longer, because a channel then lasts for an hour.
    const statusSemaphore = semaphoreOf(MOST_AT_ONCE.statuses, 2 * requestTimeoutMs);
    const paymentLoader = new BatchLoader({
      most: MOST_PAYMENTS_ASKED,
      one: async (jobId, timeoutMs) => JSON.stringify(await requests.request(getJobPayment, { jobId }, timeoutMs)),
      many: async (jobIds, timeoutMs) => {
        const { payments } = await requests.request(getJobPayments, { jobIds: [...jobIds] }, timeoutMs);
        return new Map(Object.entries(payments).map(([jobId, payment]) => [jobId, JSON.stringify(payment)]));
      },
    });
    this.payments = cacheOf(
      'payment',
      isCurrent,
      (jobId, waitedMs) => paymentLoader.load(jobId, requestTimeoutMs - waitedMs),
      paymentSemaphore,
    );
    this.statuses = cacheOf(
      'status',
      (requestedAtMs, status) =>
        isRecent(requestedAtMs) || (status !== undefined && this.isStillValid(status, requestedAtMs)),
      (jobId) => reader.read(jobId),
      statusSemaphore,
    );
    this.stats = cacheOf('stats', isCurrent, async () => JSON.stringify(await requests.request(getStats, {})));
    metrics.showSnapshot({
      jobs: () => this.payments.size,
      waiting: () => paymentSemaphore.waitingCount + statusSemaphore.waitingCount,
    });
    changes.listen((written) => this.invalidate(written));
    // The receipt of a job changes with its execution.
    changes.listenToExecutions(({ jobIds }) => {
      for (const jobId of jobIds) this.invalidateJob(jobId);
    });
    changes.listenToChain((message) => this.reach.receive(message));
  }

  /** Payment of a job, as JSON. @throws RequestFailedError `JOB_NOT_FOUND` */
  async payment(jobId: string): Promise<string> {
    return this.reach.addTo(await this.payments.read(jobId));
  }

  /** The cached value; undefined, without counting a read, if a request is needed. */
  cachedPayment(jobId: string): string | undefined {
    const known = this.payments.cached(jobId);
    return known === undefined ? undefined : this.reach.addTo(known);
  }

  /** Status of a job with its receipt. @throws RequestFailedError `JOB_NOT_FOUND` */
  async status(jobId: string): Promise<JobStatusResponse> {
    const status = await this.statuses.read(jobId);
    const { chainUnreachableSince } = this;
    return chainUnreachableSince === undefined ? status : { ...status, chainUnreachableSince };
  }

  /** Since when the chain cannot be reached; undefined if it can. */
  get chainUnreachableSince(): string | undefined {
    return this.reach.unreachableSince;
  }

  /** The landing page's figures, as JSON. */
  currentStats(): Promise<string> {
    return this.stats.read(STATS_KEY);
  }

  /** The cached value; undefined, without counting a read, if a request is needed. */
  cachedStats(): string | undefined {
    return this.stats.cached(STATS_KEY);
  }

  /** Calls a listener after each change of a job, when a read returns the new state. */
  onChange(listener: (jobId: string) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Whether a status is certainly the newest: an unpaid job has no receipt, and the feeds report all other changes.
   * @param requestedAtMs time of the request by the monotonic clock, ms
   */
  isStillValid({ status }: JobStatusResponse, requestedAtMs: number): boolean {
    return status === 'pending_payment' && this.feeds.isCompleteSince(requestedAtMs);
  }

  private invalidate(written: JobChanges): void {
    this.feeds.receive(written);
    if (written.statusChanged) this.stats.invalidate(STATS_KEY);
    for (const jobId of written.jobIds) this.invalidateJob(jobId);
  }

  private invalidateJob(jobId: string): void {
    this.payments.invalidate(jobId);
    this.statuses.invalidate(jobId);
    for (const listener of this.listeners) listener(jobId);
  }
}
