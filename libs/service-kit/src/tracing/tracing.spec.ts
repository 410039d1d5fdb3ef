import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../logger.ts';
import { PeriodicTask } from '../periodic-task.ts';
import { currentRequestId, currentSpan, runInSpan, runWithRequestId } from '../request-context.ts';
import { OtlpReceiver } from './otlp-receiver.fixture.ts';
import { startTracing, stopTracing } from './start-tracing.ts';
import { beginSpan, currentOrigin, inSpan, recordCall } from './tracing.ts';

const silent = pino({ level: 'silent' });
const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

afterEach(() => vi.unstubAllEnvs());

describe('while tracing is off', () => {
  it('runs work unchanged with request ids only', async () => {
    await startTracing('job', {}, silent);
    const origin = await runWithRequestId('request-1', () =>
      inSpan('work', { origin: {} }, async (span) => {
        expect(span).toBeUndefined();
        return currentOrigin();
      }),
    );
    expect(origin).toEqual({ requestId: 'request-1' });
  });

  it('resumes work under its original request id', async () => {
    await inSpan('work', { origin: { requestId: 'request-1', traceparent: PARENT } }, async () => {
      expect(currentRequestId()).toBe('request-1');
    });
  });
});

describe('while tracing is on', () => {
  let receiver: OtlpReceiver;

  beforeEach(async () => {
    receiver = new OtlpReceiver();
    const endpoint = await receiver.listen();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20token');
    await startTracing('job', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, silent);
  });

  afterEach(async () => {
    await stopTracing();
    await receiver.stop();
  });

  /** The exported spans, by name. */
  async function exported() {
    await stopTracing();
    return new Map(receiver.spans.map((span) => [span.name, span]));
  }

  it('exports parts under one trace by OTLP', async () => {
    await runWithRequestId('request-1', () =>
      inSpan('whole', { kind: 'SERVER', origin: {} }, async () => {
        await inSpan('part', { attributes: { 'maker.job.id': 'job_1' } }, async () => {
          recordCall('eth_call', 5, { 'rpc.method': 'eth_call' });
        });
      }),
    );
    const spans = await exported();
    const whole = spans.get('whole');
    expect(whole).toMatchObject({ service: 'job', attributes: { 'maker.request.id': 'request-1' }, failed: false });
    expect(spans.get('part')).toMatchObject({
      traceId: whole?.traceId,
      parentSpanId: whole?.spanId,
      attributes: { 'maker.job.id': 'job_1' },
    });
    expect(spans.get('eth_call')?.parentSpanId).toBe(spans.get('part')?.spanId);
    expect(receiver.requests[0]).toEqual({ path: '/v1/traces', authorization: 'Bearer token' });
  });

  it('continues another process’s trace', async () => {
    await inSpan('part', { parent: PARENT }, async () => undefined);
    expect((await exported()).get('part')).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
  });

  it('links a late trace to its origin', async () => {
    const origin = { requestId: 'request-1', traceparent: PARENT };
    await inSpan('later', { origin }, async () => expect(currentRequestId()).toBe('request-1'));
    const later = (await exported()).get('later');
    expect(later?.linkedTraceIds).toEqual(['a'.repeat(32)]);
    expect(later?.traceId).not.toBe('a'.repeat(32));
    expect(later?.parentSpanId).toBeUndefined();
    expect(later?.attributes['maker.request.id']).toBe('request-1');
  });

  it('begins no trace for background work', async () => {
    await inSpan('poll', {}, async (span) => expect(span).toBeUndefined());
    recordCall('eth_blockNumber', 1, {});
    expect((await exported()).size).toBe(0);
  });

  it('keeps an error’s name, not its message', async () => {
    const refused = Object.assign(new TypeError('cannot send 0xsigned'), { code: 'BROADCAST_REFUSED' });
    await expect(inSpan('send', { origin: {} }, () => Promise.reject(refused))).rejects.toBe(refused);
    expect((await exported()).get('send')).toMatchObject({
      failed: true,
      attributes: { 'error.type': 'BROADCAST_REFUSED' },
    });
    expect(receiver.bodies.join()).not.toContain('0xsigned');
  });

  it('writes the trace into log lines', () => {
    const lines: string[] = [];
    const logger = createLogger('job', 'info', { write: (line) => lines.push(line) });
    const span = beginSpan('work', { origin: {} });
    runInSpan(span, () => logger.info('hello'));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      traceId: span?.spanContext().traceId,
      spanId: span?.spanContext().spanId,
    });
  });

  it('ignores an invalid traceparent', async () => {
    await inSpan('work', { parent: '00-xyz', origin: {} }, async () => undefined);
    expect((await exported()).get('work')?.parentSpanId).toBeUndefined();
  });
});

it('samples the set share and follows its caller', async () => {
  const receiver = new OtlpReceiver();
  const endpoint = await receiver.listen();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
  await startTracing('job', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: 0 }, silent);
  await inSpan('unsampled', { origin: {} }, async () => {
    expect(currentOrigin().traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
  await inSpan('sampled by the caller', { parent: PARENT }, async () => undefined);
  await stopTracing();
  await receiver.stop();
  expect(receiver.spans.map(({ name }) => name)).toEqual(['sampled by the caller']);
});

it('does not wait for a missing receiver', async () => {
  const endpoint = 'http://127.0.0.1:9';
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
  await startTracing('job', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, silent);
  expect(await inSpan('work', { origin: {} }, async () => 'done')).toBe('done');
  await stopTracing();
});

it('separates woken work from its request', async () => {
  const seen: (string | undefined)[] = [];
  const ran = Promise.withResolvers<void>();
  const task = new PeriodicTask('task', 60_000, silent, async () => {
    seen.push(currentRequestId(), currentSpan()?.spanContext().traceId);
    if (seen.length === 4) ran.resolve();
  });
  task.start();
  await vi.waitFor(() => expect(seen).toHaveLength(2));
  runWithRequestId('request-1', () => task.wake());
  await ran.promise;
  await task.stop();
  expect(seen).toEqual([undefined, undefined, undefined, undefined]);
});
