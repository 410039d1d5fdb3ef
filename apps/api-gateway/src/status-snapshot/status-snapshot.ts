import {
  EVENT_TYPES,
  getJobPayment,
  getJobPayments,
  getStats,
  type JobChanges,
  type JobStatusResponse,
  jobCreated,
  MOST_PAYMENTS_ASKED,
  paymentReceived,
  paymentSeen,
} from '@maker/contracts';
import { ChangesListener, EventListener, RequestClient } from '@maker/messaging';
import { Inject, Injectable } from '@nestjs/common';
import { REQUEST_TIMEOUT } from '../configuration.ts';
import { GatewayMetrics, type SnapshotView } from '../gateway.metrics.ts';
import { BatchLoader } from './batch-loader.ts';
import { InvalidationFeeds } from './invalidation-feeds.ts';
import { JobStatusReader } from './job-status.reader.ts';
import { ReadThroughCache, type RecentValuesOptions } from './read-through-cache.ts';
import { Semaphore } from './semaphore.ts';

/** What nobody vouches for is served again for so long, as is a status with its receipt always, ms. */
const AGE_MS = 1000;
/** About 800 bytes each. */
const MAX_JOBS = 100_000;
const STATS_KEY = 'stats';
/** Jobs that a gateway asks for at once, for their payments in two questions and for each status: enough to keep a job service at work, too few to keep it from telling its changes. */
const MOST_AT_ONCE = { payments: 2 * MOST_PAYMENTS_ASKED, statuses: 16 };
/** A question that takes longer no longer counts as one of them, ms. */
const SLOW_QUESTION_MS = 250;

/**
 * Of these the job service makes a write of its own, if any, which its feed tells: who asked as soon as they are out would mostly be told of
 * the job as it was, and whoever watches it would hear of the payment a question later.
 */
const TOLD_BY_FEED: readonly string[] = [jobCreated, paymentSeen, paymentReceived].map(({ type }) => type);
const HEARD = EVENT_TYPES.filter((type) => !TOLD_BY_FEED.includes(type));

/** A clock that nobody sets: ages are at stake. */
const now = () => performance.now();

/**
 * What the browser polls, held in memory as the text that is sent: asked for once, dropped when the job service says that it wrote
 * the job, and not relied on for more than a second while it cannot be heard. Each replica hears every feed and every event.
 * Source: design § 3; docs/adr/0031.
 */
@Injectable()
export class StatusSnapshot {
  private readonly payments: ReadThroughCache<string>;
  private readonly statuses: ReadThroughCache<JobStatusResponse>;
  private readonly stats: ReadThroughCache<string>;
  private readonly feeds = new InvalidationFeeds(now);
  private readonly listeners: ((jobId: string) => void)[] = [];

  constructor(
    listener: EventListener,
    changes: ChangesListener,
    requests: RequestClient,
    reader: JobStatusReader,
    metrics: GatewayMetrics,
    @Inject(REQUEST_TIMEOUT) requestTimeoutMs: number,
  ) {
    const isYoung = (askedAtMs: number) => now() - askedAtMs < AGE_MS;
    const isVouchedFor = (askedAtMs: number) => this.feeds.isWholeSince(askedAtMs) || isYoung(askedAtMs);
    const recent = <Value>(
      view: SnapshotView,
      holds: RecentValuesOptions<Value>['holds'],
      load: RecentValuesOptions<Value>['load'],
      turns?: Semaphore,
    ) =>
      new ReadThroughCache<Value>({
        holds,
        maxEntries: MAX_JOBS,
        now,
        load,
        turns,
        onRead: (outcome) => metrics.snapshotRead(view, outcome),
      });
    const turnsOf = (most: number, patienceMs: number) =>
      new Semaphore({ most, heldMs: SLOW_QUESTION_MS, patienceMs, now });
    // Who got a turn has as long for the answer.
    const turns = turnsOf(MOST_AT_ONCE.payments, requestTimeoutMs / 2);
    // All live channels of a gateway that is replaced come back at once: who waits longer than others would has its channel for an hour.
    const statusTurns = turnsOf(MOST_AT_ONCE.statuses, 2 * requestTimeoutMs);
    const questions = new BatchLoader({
      most: MOST_PAYMENTS_ASKED,
      one: async (jobId, timeoutMs) => JSON.stringify(await requests.request(getJobPayment, { jobId }, timeoutMs)),
      many: async (jobIds, timeoutMs) => {
        const { payments } = await requests.request(getJobPayments, { jobIds: [...jobIds] }, timeoutMs);
        return new Map(Object.entries(payments).map(([jobId, payment]) => [jobId, JSON.stringify(payment)]));
      },
    });
    this.payments = recent(
      'payment',
      isVouchedFor,
      (jobId, waitedMs) => questions.ask(jobId, requestTimeoutMs - waitedMs),
      turns,
    );
    this.statuses = recent(
      'status',
      (askedAtMs, status) => isYoung(askedAtMs) || (status !== undefined && this.isStillSo(status, askedAtMs)),
      (jobId) => reader.read(jobId),
      statusTurns,
    );
    this.stats = recent('stats', isVouchedFor, async () => JSON.stringify(await requests.request(getStats, {})));
    metrics.showSnapshot({
      jobs: () => this.payments.size,
      waiting: () => turns.waitingCount + statusTurns.waitingCount,
    });
    // What other services tell of a job is part of its receipt.
    listener.listen(HEARD, ({ jobId }) => this.forgetJob(jobId));
    changes.listen((written) => this.forget(written));
  }

  /** Payment of a job, as JSON. @throws RequestFailedError `JOB_NOT_FOUND` */
  payment(jobId: string): Promise<string> {
    return this.payments.read(jobId);
  }

  /** The same from memory; undefined, and no read is counted, where the job service has to be asked. */
  paymentAtHand(jobId: string): string | undefined {
    return this.payments.atHand(jobId);
  }

  /** Status of a job with its receipt. @throws RequestFailedError `JOB_NOT_FOUND` */
  status(jobId: string): Promise<JobStatusResponse> {
    return this.statuses.read(jobId);
  }

  /** The landing page's figures, as JSON. */
  currentStats(): Promise<string> {
    return this.stats.read(STATS_KEY);
  }

  /** The same from memory; undefined, and no read is counted, where the job service has to be asked. */
  statsAtHand(): string | undefined {
    return this.stats.atHand(STATS_KEY);
  }

  /** Has somebody told each time that something happened to a job, once a read gives what it is now. */
  onChange(listener: (jobId: string) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Whether a status is sure to be the newest: a job that waits for its payment has no receipt, and the job service tells of all else.
   * @param askedAtMs of a clock that nobody sets
   */
  isStillSo({ status }: JobStatusResponse, askedAtMs: number): boolean {
    return status === 'pending_payment' && this.feeds.isWholeSince(askedAtMs);
  }

  private forget(written: JobChanges): void {
    this.feeds.hear(written);
    if (written.statusChanged) this.stats.invalidate(STATS_KEY);
    for (const jobId of written.jobIds) this.forgetJob(jobId);
  }

  private forgetJob(jobId: string): void {
    this.payments.invalidate(jobId);
    this.statuses.invalidate(jobId);
    for (const listener of this.listeners) listener(jobId);
  }
}
