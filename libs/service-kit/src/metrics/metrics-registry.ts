import { type PrometheusContentType, Registry } from 'prom-client';

const OPEN_METRICS = 'application/openmetrics-text';

/** The prom-client registry of the service; every metric is created in it, and histograms in it remember traces. */
export class MetricsRegistry extends Registry {
  constructor() {
    super();
    // prom-client takes exemplars in this format alone, and its types tell registries apart by it.
    this.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as unknown as PrometheusContentType);
  }

  /**
   * All metrics as whoever asks reads them: as OpenMetrics, which has exemplars, for Prometheus and all who name it, else as Prometheus' plain text.
   * @param accept the request's header of that name
   */
  async page(accept = ''): Promise<{ readonly type: string; readonly body: string }> {
    const openMetrics = await this.metrics();
    return accept.includes(OPEN_METRICS)
      ? { type: Registry.OPENMETRICS_CONTENT_TYPE, body: openMetrics }
      : { type: Registry.PROMETHEUS_CONTENT_TYPE, body: plainText(openMetrics) };
  }
}

/** The same series in the plain format: counters are declared under their whole name, and no exemplars stand behind buckets. */
function plainText(openMetrics: string): string {
  const counters = new Set([...openMetrics.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name]) => name));
  return openMetrics
    .replace(/^# EOF\n/m, '')
    .replaceAll(/^# (HELP|TYPE) (\S+)/gm, (line, _, name) => (counters.has(name) ? `${line}_total` : line))
    .replaceAll(/^(\w+_bucket\{.*?\} \S+) # \{.*$/gm, '$1');
}
