import {
  declareMetrics,
  declareServiceMetrics,
  histogram,
  MetricsRegistry,
  OpsServer,
  Readiness,
  runInSpan,
} from '@maker/service-kit';
import { TraceFlags, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { type PrometheusServer, startPrometheus } from './prometheus-server.ts';

const METRIC = 'maker_http_request_duration_seconds';
const TRACE = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  traceFlags: TraceFlags.SAMPLED,
};

interface Exemplars {
  readonly seriesLabels: Readonly<Record<string, string>>;
  readonly exemplars: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: string }[];
}

let ops: OpsServer;
let prometheus: PrometheusServer;

beforeAll(async () => {
  const registry = new MetricsRegistry();
  declareServiceMetrics(registry, 'api-gateway');
  const { [METRIC]: took } = declareMetrics(registry, {
    [METRIC]: histogram('Time of a request.', [0.1, 1, 10], { route: ['/stats'] }),
  });
  runInSpan(trace.wrapSpanContext(TRACE), () => took.observe({ route: '/stats' }, 4));
  ops = new OpsServer(new Readiness(), registry);
  const port = await ops.listen(0, '127.0.0.1');
  prometheus = await startPrometheus({ 'api-gateway': `http://127.0.0.1:${port}` }, { files: [] });
});

afterAll(async () => {
  await prometheus?.stop();
  await ops?.close();
});

it('a spike leads to its trace by an exemplar', async () => {
  const now = Date.now() / 1000;
  const asked = new URLSearchParams({ query: `${METRIC}_bucket`, start: `${now - 600}`, end: `${now + 600}` });
  const [found] = await until(
    'the exemplar',
    () => prometheus.get<Exemplars[]>(`/query_exemplars?${asked}`),
    (series) => series.length > 0,
  );
  expect(found?.seriesLabels).toMatchObject({ le: '10', route: '/stats', job: 'api-gateway' });
  expect(found?.exemplars).toMatchObject([{ labels: { trace_id: TRACE.traceId }, value: '4' }]);
  // The rest of the page is read as before.
  for (const metric of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds', 'maker_service_up']) {
    expect(await prometheus.query(metric), metric).toHaveLength(1);
  }
  // The exemplar is no part of the series.
  const series = await prometheus.query(`${METRIC}_bucket`);
  expect(series).toHaveLength(4);
  for (const { metric } of series) expect(metric).not.toHaveProperty('trace_id');
});
