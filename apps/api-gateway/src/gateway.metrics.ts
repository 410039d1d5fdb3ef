import { COMMON_FAILURES, ENDPOINTS, type Endpoint, FAILURE_STATUS } from '@maker/contracts';
import {
  counter,
  declareMetrics,
  gauge,
  histogram,
  MetricsRegistry,
  OTHER,
  oneOf,
  reading,
  tallyOf,
} from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { routeTemplate } from './route-template.ts';

/** Label of requests without a route: callers choose their paths, which must not become labels. */
const UNMATCHED = 'unmatched';

const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', OTHER] as const;
const ROUTE_TEMPLATES: readonly string[] = [
  ...new Set(Object.values(ENDPOINTS).map(({ path }) => routeTemplate(path))),
  UNMATCHED,
];
const STATUSES: readonly string[] = [
  ...new Set([200, 201, 204, 304, ...Object.values(FAILURE_STATUS)].map(String)),
  OTHER,
];
const VIEWS = ['payment', 'status', 'stats'] as const;
const READ_OUTCOMES = ['hit', 'miss'] as const;
const RATE_LIMIT_COUNTERS = ['shared', 'replica'] as const;
const RATE_LIMIT_OUTCOMES = ['passed', 'limited'] as const;

/** Answers that each endpoint declares: their series exist before the first request. */
const expected = Object.values<Endpoint>(ENDPOINTS).flatMap(({ method, path, success, failures, isPublic }) => {
  const codes = [...(isPublic ? [] : COMMON_FAILURES), ...failures];
  const statuses = [success.status, ...codes.map((code) => FAILURE_STATUS[code])];
  return [...new Set(statuses)].map((status) => ({
    method,
    route: routeTemplate(path),
    status: String(status),
  }));
});

/** A view of the snapshot. */
export type SnapshotView = (typeof VIEWS)[number];

/** Routes that every open page polls. */
export const POLLED_ROUTES = {
  payment: routeTemplate(ENDPOINTS.getJobPayment.path),
  stats: routeTemplate(ENDPOINTS.getStats.path),
} as const;

/** Values of the snapshot that a scrape reads. */
export interface SnapshotReadings {
  readonly jobs: () => number;
  /** Requests that wait for their turn. */
  readonly waiting: () => number;
}

/** Counter of a request for the rate limit: all replicas together, or this one alone. */
export type RateLimitCounter = (typeof RATE_LIMIT_COUNTERS)[number];

/** Metrics of the gateway, for operators. Requests are labelled by route template, never by path, job or key. */
@Injectable()
export class GatewayMetrics {
  private readonly metrics;
  private readonly passed;
  private readonly hits;
  private readonly polls;
  private snapshot: SnapshotReadings = { jobs: () => 0, waiting: () => 0 };

  constructor(registry: MetricsRegistry) {
    this.metrics = declareMetrics(registry, {
      maker_http_requests_total: counter(
        'Answered HTTP requests, by method, route template and status.',
        { method: METHODS, route: ROUTE_TEMPLATES, status: STATUSES },
        expected,
      ),
      maker_http_request_duration_seconds: histogram(
        'Time from a request to its answer, without streams, which last as long as the client is connected.',
        [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        { method: METHODS, route: ROUTE_TEMPLATES },
        [],
      ),
      maker_snapshot_reads_total: counter(
        'Reads of the snapshot, by view; answered from memory (hit) or by a service (miss).',
        { view: VIEWS, outcome: READ_OUTCOMES },
      ),
      maker_snapshot_jobs: reading('Jobs with a cached payment.', async () => this.snapshot.jobs()),
      maker_snapshot_waiting_jobs: reading(
        'Requests for payments and statuses of jobs that wait for their turn: concurrent requests to the job service are limited.',
        async () => this.snapshot.waiting(),
      ),
      maker_live_streams: gauge('Live channels open now.'),
      maker_api_key_file_refused: gauge('1 while the API key file is invalid, so that the earlier keys stay valid.'),
      maker_rate_limit_checks_total: counter(
        'Requests checked against the rate limit, by counter: all replicas together (shared), or one replica alone (replica) while the database is late or down.',
        { counter: RATE_LIMIT_COUNTERS, outcome: RATE_LIMIT_OUTCOMES },
      ),
    });
    const passedBy = (counter: RateLimitCounter) =>
      tallyOf(this.metrics.maker_rate_limit_checks_total, { counter, outcome: 'passed' });
    this.passed = { shared: passedBy('shared'), replica: passedBy('replica') };
    const hitsOf = (view: SnapshotView) => tallyOf(this.metrics.maker_snapshot_reads_total, { view, outcome: 'hit' });
    // Most answers belong to two series, whose labels are resolved once.
    const answersOf = (route: string) => {
      const labels = { method: 'GET', route } as const;
      return { labels, count: tallyOf(this.metrics.maker_http_requests_total, { ...labels, status: '200' }) };
    };
    this.polls = new Map(Object.values(POLLED_ROUTES).map((route) => [route, answersOf(route)]));
    this.hits = { payment: hitsOf('payment'), status: hitsOf('status'), stats: hitsOf('stats') };
  }

  /**
   * @param route template such as '/jobs/:jobId/payment'; undefined without a route
   * @param durationMs ms; undefined for streams, which last as long as the client is connected
   */
  answered(method: string, route: string | undefined, status: number, durationMs: number | undefined): void {
    const polls = route !== undefined && method === 'GET' && status === 200 ? this.polls.get(route) : undefined;
    const labels = polls?.labels ?? {
      method: oneOf(METHODS, method),
      route: route !== undefined && ROUTE_TEMPLATES.includes(route) ? route : UNMATCHED,
    };
    if (polls) polls.count();
    else this.metrics.maker_http_requests_total.inc({ ...labels, status: oneOf(STATUSES, String(status)) });
    if (durationMs !== undefined) this.metrics.maker_http_request_duration_seconds.observe(labels, durationMs / 1000);
  }

  snapshotRead(view: SnapshotView, outcome: 'hit' | 'miss'): void {
    if (outcome === 'hit') this.hits[view]();
    else this.metrics.maker_snapshot_reads_total.inc({ view, outcome });
  }

  /** @param snapshot read at each scrape */
  showSnapshot(snapshot: SnapshotReadings): void {
    this.snapshot = snapshot;
  }

  apiKeyFileRefused(refused: boolean): void {
    this.metrics.maker_api_key_file_refused.set(refused ? 1 : 0);
  }

  rateLimitChecked(counter: RateLimitCounter, outcome: 'passed' | 'limited'): void {
    if (outcome === 'passed') this.passed[counter]();
    else this.metrics.maker_rate_limit_checks_total.inc({ counter, outcome });
  }

  openStreams(count: number): void {
    this.metrics.maker_live_streams.set(count);
  }
}
