import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { declareCounter, labelValuesOf, oneOf } from './declare-metric.ts';
import { declareReading, declareReadings, sharedReading } from './declare-reading.ts';
import { RpcMetrics } from './rpc-metrics.ts';

describe('a declared metric', () => {
  it('has all its series from the start, so that the first event is a rise', async () => {
    const registry = new Registry();
    const counter = declareCounter(registry, {
      name: 'maker_test_events_total',
      help: 'Events.',
      labels: { kind: ['plain', 'odd'], outcome: ['ok', 'failed'] },
    });
    expect((await counter.get()).values.map(({ labels, value }) => [labels.kind, labels.outcome, value])).toEqual([
      ['plain', 'ok', 0],
      ['plain', 'failed', 0],
      ['odd', 'ok', 0],
      ['odd', 'failed', 0],
    ]);
    expect(labelValuesOf(counter)).toEqual({ kind: ['plain', 'odd'], outcome: ['ok', 'failed'] });
  });

  it('takes a value that is none of its list as other', () => {
    expect(oneOf(['GET', 'POST'], 'POST')).toBe('POST');
    expect(oneOf(['GET', 'POST'], 'BREW')).toBe('other');
  });
});

describe('a reading', () => {
  it('is left out of the scrape and counted when it fails, and all else is still there', async () => {
    const registry = new Registry();
    declareReading(registry, { name: 'maker_test_age_seconds', help: 'Age.', read: () => Promise.reject(new Error()) });
    declareReading(registry, { name: 'maker_test_rows', help: 'Rows.', read: async () => 7 });
    await registry.metrics();
    const scrape = await registry.metrics();
    expect(scrape).not.toMatch(/^maker_test_age_seconds /m);
    expect(scrape).toMatch(/^maker_test_rows 7$/m);
    expect(scrape).toMatch(/^maker_service_failed_readings_total [12]$/m);
  });

  it('shows 0 for each value of its list that was not found', async () => {
    const registry = new Registry();
    declareReadings(registry, {
      name: 'maker_test_jobs',
      help: 'Jobs.',
      label: 'status',
      values: ['open', 'ended'],
      read: async () => new Map([['open', 3] as const]),
    });
    const scrape = await registry.metrics();
    expect(scrape).toContain('maker_test_jobs{status="open"} 3');
    expect(scrape).toContain('maker_test_jobs{status="ended"} 0');
  });

  it('is shared for some seconds, and read again after a failure', async () => {
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
  it('are labelled by position, never by URL, and by known methods only', async () => {
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
