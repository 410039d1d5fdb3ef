import { TraceFlags, trace } from '@opentelemetry/api';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { runInSpan } from '../request-context.ts';
import { counter, declareMetrics, histogram, labelValuesOf, oneOf, tallyOf } from './declare-metric.ts';
import { reading, readings, sharedReading } from './declare-reading.ts';
import { MetricsRegistry } from './metrics-registry.ts';
import { RpcMetrics } from './rpc-metrics.ts';

describe('a declared metric', () => {
  it('has all series from the start', async () => {
    const registry = new Registry();
    const { maker_test_events_total: events } = declareMetrics(registry, {
      maker_test_events_total: counter('Events.', { kind: ['plain', 'odd'], outcome: ['ok', 'failed'] }),
    });
    expect((await events.get()).values.map(({ labels, value }) => [labels.kind, labels.outcome, value])).toEqual([
      ['plain', 'ok', 0],
      ['plain', 'failed', 0],
      ['odd', 'ok', 0],
      ['odd', 'failed', 0],
    ]);
    expect(labelValuesOf(events)).toEqual({ kind: ['plain', 'odd'], outcome: ['ok', 'failed'] });
  });

  it('contains each tally once per scrape', async () => {
    const registry = new Registry();
    const { maker_test_events_total: events } = declareMetrics(registry, {
      maker_test_events_total: counter('Events.', { kind: ['plain', 'odd'] }),
    });
    const tallies = (['plain', 'odd'] as const).map((kind) => tallyOf(events, { kind }));
    for (const tally of tallies) tally();
    tallies[0]?.();
    events.inc({ kind: 'plain' });
    for (const _ of ['one scrape', 'another']) {
      const scrape = await registry.metrics();
      expect(scrape).toContain('maker_test_events_total{kind="plain"} 3');
      expect(scrape).toContain('maker_test_events_total{kind="odd"} 1');
    }
  });

  it('labels an unknown value as other', () => {
    expect(oneOf(['GET', 'POST'], 'POST')).toBe('POST');
    expect(oneOf(['GET', 'POST'], 'BREW')).toBe('other');
  });
});

describe('a reading', () => {
  it('is omitted and counted when it fails', async () => {
    const registry = new Registry();
    declareMetrics(registry, {
      maker_test_age_seconds: reading('Age.', () => Promise.reject(new Error())),
      maker_test_rows: reading('Rows.', async () => 7),
    });
    await registry.metrics();
    const scrape = await registry.metrics();
    expect(scrape).not.toMatch(/^maker_test_age_seconds /m);
    expect(scrape).toMatch(/^maker_test_rows 7$/m);
    expect(scrape).toMatch(/^maker_service_failed_readings_total [12]$/m);
  });

  it('shows 0 for unseen values', async () => {
    const registry = new Registry();
    declareMetrics(registry, {
      maker_test_jobs: readings('Jobs.', 'status', ['open', 'ended'], async () => new Map([['open', 3] as const])),
    });
    const scrape = await registry.metrics();
    expect(scrape).toContain('maker_test_jobs{status="open"} 3');
    expect(scrape).toContain('maker_test_jobs{status="ended"} 0');
  });

  it('is cached for seconds, not after failures', async () => {
    let nowMs = 0;
    let reads = 0;
    let fails = false;
    const read = sharedReading(
      async () => {
        reads += 1;
        if (fails) throw new Error('down');
        return reads;
      },
      () => nowMs,
    );
    expect([await read(), await read()]).toEqual([1, 1]);
    nowMs = 5000;
    fails = true;
    await expect(read()).rejects.toThrow('down');
    fails = false;
    expect(await read()).toBe(3);
  });
});

describe('requests to the chain', () => {
  it('labels by position and known method, not URL', async () => {
    const registry = new Registry();
    const metrics = new RpcMetrics(registry);
    metrics.requested('eth_call', 'ok', 12, 0);
    metrics.requested('eth_secretMethod', 'timeout', 5000, 1);
    const scrape = await registry.metrics();
    expect(scrape).toContain('maker_rpc_requests_total{method="eth_call",outcome="ok"} 1');
    expect(scrape).toContain('maker_rpc_requests_total{method="eth_call",outcome="error"} 0');
    expect(scrape).toContain('maker_rpc_requests_total{method="other",outcome="timeout"} 1');
    expect(scrape).toContain('maker_rpc_endpoint_requests_total{position="2",outcome="timeout"} 1');
    expect(scrape).not.toContain('secretMethod');
  });
});

describe('a histogram of a service', () => {
  const TRACE = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const within = (traceFlags: TraceFlags, run: () => void) =>
    runInSpan(trace.wrapSpanContext({ ...TRACE, traceFlags }), run);
  const declared = () => {
    const registry = new MetricsRegistry();
    const { maker_test_duration_seconds: took } = declareMetrics(registry, {
      maker_test_events_total: counter('Events.', { kind: ['odd'] }),
      maker_test_duration_seconds: histogram('Time.', [0.1, 1], { route: ['/jobs/:jobId'] }),
    });
    return { registry, observe: (seconds: number) => took.observe({ route: '/jobs/:jobId' }, seconds) };
  };

  it('names the last trace of a bucket in OpenMetrics', async () => {
    const { registry, observe } = declared();
    within(TraceFlags.SAMPLED, () => observe(0.5));
    const { type, body } = await registry.page('application/openmetrics-text;version=1.0.0,text/plain;q=0.5');
    expect(type).toMatch(/^application\/openmetrics-text/);
    expect(body).toMatch(
      new RegExp(
        `^maker_test_duration_seconds_bucket\\{le="1",route="/jobs/:jobId"\\} 1 # \\{trace_id="${TRACE.traceId}"\\} 0.5 `,
        'm',
      ),
    );
    expect(body).toMatch(/# EOF\n$/);
  });

  it('names no unexported trace', async () => {
    const { registry, observe } = declared();
    within(TraceFlags.NONE, () => observe(0.5));
    observe(0.5);
    expect((await registry.page('application/openmetrics-text')).body).not.toContain(' # {');
  });

  it('is plain text by default', async () => {
    const { registry, observe } = declared();
    within(TraceFlags.SAMPLED, () => observe(0.5));
    const { type, body } = await registry.page('text/plain');
    expect(type).toMatch(/^text\/plain; version=0.0.4/);
    expect(body.split('\n')).toEqual([
      '# HELP maker_test_events_total Events.',
      '# TYPE maker_test_events_total counter',
      'maker_test_events_total{kind="odd"} 0',
      '# HELP maker_test_duration_seconds Time.',
      '# TYPE maker_test_duration_seconds histogram',
      'maker_test_duration_seconds_bucket{le="0.1",route="/jobs/:jobId"} 0',
      'maker_test_duration_seconds_bucket{le="1",route="/jobs/:jobId"} 1',
      'maker_test_duration_seconds_bucket{le="+Inf",route="/jobs/:jobId"} 1',
      'maker_test_duration_seconds_sum{route="/jobs/:jobId"} 0.5',
      'maker_test_duration_seconds_count{route="/jobs/:jobId"} 1',
      '',
    ]);
  });
});
