import type { ServerResponse } from 'node:http';
import { counter, declareMetrics, declareServiceMetrics, type MetricsRegistry, OTHER, oneOf } from '@maker/service-kit';

/** Answers of the site; other ones are counted as `other`. */
const STATUSES = ['200', '206', '304', '404', '500', OTHER] as const;

/** What an operator sees of the site. */
export class SiteMetrics {
  private readonly metrics;

  constructor(registry: MetricsRegistry) {
    declareServiceMetrics(registry, 'site');
    this.metrics = declareMetrics(registry, {
      maker_site_requests_total: counter('Requests for pages and files answered, by status.', { status: STATUSES }),
    });
  }

  /** Counts the request once its answer is sent. */
  count(response: ServerResponse): void {
    response.once('finish', () => {
      const status = oneOf(STATUSES, String(response.statusCode)) as (typeof STATUSES)[number];
      this.metrics.maker_site_requests_total.inc({ status });
    });
  }
}
