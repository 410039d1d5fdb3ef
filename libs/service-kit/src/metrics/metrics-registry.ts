import { type PrometheusContentType, Registry } from 'prom-client';

const OPEN_METRICS = 'application/openmetrics-text';

/** The prom-client registry of the service. It contains every metric, and its histograms keep traces as exemplars. */
export class MetricsRegistry extends Registry {
  constructor() {
    super();
    // prom-client accepts exemplars in this format only, and its types distinguish registries by it.
    this.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as unknown as PrometheusContentType);
  }

  /**
   * All metrics in the format that the client accepts: OpenMetrics with exemplars (Prometheus), else Prometheus' plain text.
   * @param accept the request's Accept header
   */
  async page(accept = ''): Promise<{ readonly type: string; readonly body: string }> {
    const openMetrics = await this.metrics();
    return accept.includes(OPEN_METRICS)
      ? { type: Registry.OPENMETRICS_CONTENT_TYPE, body: openMetrics }
      : { type: Registry.PROMETHEUS_CONTENT_TYPE, body: plainText(openMetrics) };
  }
}

/** Converts to the plain format: a counter's declaration has its full name, and buckets have no exemplars. */
function plainText(openMetrics: string): string {
  const counters = new Set([...openMetrics.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name]) => name));
  return openMetrics
    .replace(/^# EOF\n/m, '')
    .replaceAll(/^# (HELP|TYPE) (\S+)/gm, (line, _, name) => (counters.has(name) ? `${line}_total` : line))
    .replaceAll(/^(\w+_bucket\{.*?\} \S+) # \{.*$/gm, '$1');
}
