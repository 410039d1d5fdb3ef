import { MetricsRegistry } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';

/** Label of requests that no route answers: their paths are the callers' to choose and must not become labels. */
const UNMATCHED = 'unmatched';

/** Requests by route template, never by path. */
@Injectable()
export class HttpMetrics {
  private readonly requests: Counter<'method' | 'route' | 'status'>;
  private readonly durations: Histogram<'method' | 'route'>;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'maker_http_requests_total',
      help: 'HTTP requests answered, by method, route template and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.durations = new Histogram({
      name: 'maker_http_request_duration_seconds',
      help: 'Time from a request to its answer.',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
  }

  /**
   * @param route template such as '/jobs/:jobId/payment'; undefined for what no route answers
   * @param durationMs ms; undefined for streams, which last as long as somebody watches
   */
  answered(method: string, route: string | undefined, status: number, durationMs: number | undefined): void {
    const labels = { method, route: route ?? UNMATCHED };
    this.requests.inc({ ...labels, status: String(status) });
    if (durationMs !== undefined) this.durations.observe(labels, durationMs / 1000);
  }
}
