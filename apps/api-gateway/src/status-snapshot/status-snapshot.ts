import {
  type Event,
  getJobPayment,
  getStats,
  type JobPaymentResponse,
  type JobStatusResponse,
  type StatsResponse,
} from '@maker/contracts';
import { EventListener, RequestClient } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { filter, type Observable, Subject } from 'rxjs';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { GatewayMetrics, type SnapshotView } from '../gateway.metrics.ts';
import { JobStatusReader } from './job-status.reader.ts';
import { RecentValues } from './recent-values.ts';

/** Bound on how long a lost event can hide a change, ms. */
const PAYMENT_AGE_MS = 3000;
const STATUS_AGE_MS = 1000;
const STATS_AGE_MS = 2000;
const MAX_JOBS = 20_000;
const STATS_KEY = 'stats';

/**
 * What the browser polls, held in memory: filled by requests, dropped by each event of the job, never older than a few
 * seconds. Each replica hears every event. Source: design § 3; docs/adr/0005.
 */
@Injectable()
export class StatusSnapshot {
  private readonly payments: RecentValues<JobPaymentResponse>;
  private readonly statuses: RecentValues<JobStatusResponse>;
  private readonly stats: RecentValues<StatsResponse>;
  private readonly changed = new Subject<string>();

  constructor(
    listener: EventListener,
    requests: RequestClient,
    reader: JobStatusReader,
    clock: Clock,
    metrics: GatewayMetrics,
    @Inject(GATEWAY_CONFIGURATION) { REQUEST_TIMEOUT_MS }: GatewayConfiguration,
  ) {
    const recent = <Value>(view: SnapshotView, maxAgeMs: number, load: (key: string) => Promise<Value>) =>
      new RecentValues<Value>({
        maxAgeMs,
        maxEntries: MAX_JOBS,
        now: () => clock.now(),
        load,
        onRead: (outcome) => metrics.snapshotRead(view, outcome),
      });
    this.payments = recent('payment', PAYMENT_AGE_MS, (jobId) =>
      requests.request(getJobPayment, { jobId }, REQUEST_TIMEOUT_MS),
    );
    this.statuses = recent('status', STATUS_AGE_MS, (jobId) => reader.read(jobId));
    this.stats = recent('stats', STATS_AGE_MS, () => requests.request(getStats, {}, REQUEST_TIMEOUT_MS));
    metrics.showSnapshot(() => this.payments.size);
    listener.listen((event) => this.hear(event));
  }

  /** Payment of a job. @throws RequestFailedError `JOB_NOT_FOUND` */
  payment(jobId: string): Promise<JobPaymentResponse> {
    return this.payments.read(jobId);
  }

  /** Status of a job with its receipt. @throws RequestFailedError `JOB_NOT_FOUND` */
  status(jobId: string): Promise<JobStatusResponse> {
    return this.statuses.read(jobId);
  }

  /** The landing page's figures. */
  currentStats(): Promise<StatsResponse> {
    return this.stats.read(STATS_KEY);
  }

  /** Says each time that something happened to a job, once a read gives what it is now. */
  changesOf(jobId: string): Observable<string> {
    return this.changed.pipe(filter((changed) => changed === jobId));
  }

  private hear({ jobId }: Event): void {
    this.payments.invalidate(jobId);
    this.statuses.invalidate(jobId);
    this.changed.next(jobId);
  }
}
