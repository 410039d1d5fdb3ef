import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreateJobResponse } from '@maker/contracts';
import { type RunningStack, SERVICES, type ServiceName } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportedSpan, OtlpReceiver } from '../../libs/service-kit/src/tracing/otlp-receiver.fixture.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';

const REQUEST_ID = 'page-0123456789abcdef';

interface LogLine {
  readonly msg: string;
  readonly requestId?: string;
  readonly traceId?: string;
  readonly jobId?: string;
  readonly hash?: `0x${string}`;
  readonly type?: string;
}

let running: RunningStack;
let product: ProductClient;
let receiver: OtlpReceiver;
let job: CreateJobResponse;
const lines = new Map<ServiceName, LogLine[]>();
/** Senders of the logged transactions, from the chain. */
const senders = new Set<string>();

async function readLog(service: ServiceName): Promise<LogLine[]> {
  const text = await readFile(join(running.directory, 'logs', `${service}.log`), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

/** A service's log lines for the request. */
const said = (service: ServiceName) => (lines.get(service) ?? []).filter(({ requestId }) => requestId === REQUEST_ID);

/** Hashes of the transactions in them. */
const hashesOf = (service: ServiceName) => said(service).flatMap(({ hash }) => hash ?? []);

/** Spans of a service. */
const spansOf = (service: ServiceName) => receiver.spans.filter((span) => span.service === service);

function spanNamed(service: ServiceName, name: string): ExportedSpan {
  const found = spansOf(service).find(
    (span) => span.name === name && span.attributes['maker.request.id'] === REQUEST_ID,
  );
  if (!found)
    throw new Error(`${service} exported no span '${name}', only ${spansOf(service).map((span) => span.name)}`);
  return found;
}

beforeAll(async () => {
  receiver = new OtlpReceiver();
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: await receiver.listen() };
  running = await startOwnStack(20, Object.fromEntries(SERVICES.map((service) => [service, tracing])));
  product = new ProductClient(running.stack);
  const { body, headers } = await product.call<CreateJobResponse>(
    'POST',
    '/jobs/create',
    { tokenAddress: running.stack.tokens.both, paymentAmount: 0.25 },
    { 'x-request-id': REQUEST_ID },
  );
  expect(headers.get('x-request-id')).toBe(REQUEST_ID);
  job = body;
  await product.pay(job.paymentAddress, '0.25');
  await product.completed(job.jobId, { timeoutMs: 150_000 });
  for (const service of SERVICES) lines.set(service, await readLog(service));
  for (const hash of hashesOf('maker-executor')) senders.add((await product.chain.getTransaction({ hash })).from);
  // Stopping exports the remaining spans.
  await running.stop();
}, 300_000);

afterAll(async () => {
  await running?.stop();
  await receiver?.stop();
});

describe('a job is followed by its request id (design § 3)', () => {
  it.each([
    ['api-gateway', 'request'],
    ['token-validation', 'token validated'],
    ['job', 'job created'],
    ['payment-watcher', 'payment credited'],
    ['maker-executor', 'execution claimed'],
    ['maker-executor', 'transaction sent'],
  ] as const)('%s says "%s"', (service, message) => {
    expect(said(service).map(({ msg }) => msg)).toContain(message);
  });

  it('to its transactions on the chain', () => {
    expect(hashesOf('maker-executor').length).toBeGreaterThan(100);
    expect([...senders].map((sender) => sender.toLowerCase())).toEqual([job.paymentAddress.toLowerCase()]);
    expect(new Set(said('maker-executor').flatMap(({ jobId }) => jobId ?? []))).toEqual(new Set([job.jobId]));
  });

  it('reaches the job’s end under one id', () => {
    expect(said('job')).toContainEqual(
      expect.objectContaining({ msg: 'event applied', type: 'execution.completed', jobId: job.jobId }),
    );
  });

  it('carries no id without a caller', () => {
    for (const service of SERVICES) {
      for (const { msg, requestId } of lines.get(service) ?? []) {
        if (msg === 'started') expect(requestId).toBeUndefined();
      }
    }
  });
});

describe('traces, exported by OTLP where an endpoint is configured', () => {
  it('cover a creation from request to watch', () => {
    const request = spanNamed('api-gateway', 'POST /jobs/create');
    expect(request.parentSpanId).toBeUndefined();
    const parts = receiver.spans.filter(({ traceId }) => traceId === request.traceId);
    const named = (service: ServiceName, name: string) =>
      parts.find((span) => span.service === service && span.name === name);
    const asked = parts.find(({ name, parentSpanId }) => name === 'job.create' && parentSpanId === request.spanId);
    expect(named('job', 'job.create')?.parentSpanId).toBe(asked?.spanId);
    expect(named('token-validation', 'token.market.get')).toBeDefined();
    expect(named('token-validation', 'eth_call')).toBeDefined();
    expect(named('job', 'mongodb commitTransaction')).toBeDefined();
    expect(named('payment-watcher', 'process job.created')?.attributes['maker.job.id']).toBe(job.jobId);
  });

  it('link a payment’s trace to its creation', () => {
    const creation = spanNamed('api-gateway', 'POST /jobs/create');
    const credit = spanNamed('payment-watcher', 'credit payment');
    expect(credit.traceId).not.toBe(creation.traceId);
    expect(credit.linkedTraceIds).toEqual([creation.traceId]);
    expect(spanNamed('job', 'process payment.received').traceId).toBe(credit.traceId);
    expect(spanNamed('maker-executor', 'process job.activated').traceId).toBe(credit.traceId);
  });

  it('link each sending to the payment', async () => {
    const { traceId } = spanNamed('payment-watcher', 'credit payment');
    const sendings = spansOf('maker-executor').filter(({ name }) => name === 'send transactions');
    expect(sendings.length).toBeGreaterThan(10);
    for (const { linkedTraceIds } of sendings) expect(linkedTraceIds).toEqual([traceId]);
    const broadcasts = spansOf('maker-executor').filter(({ name }) => name === 'broadcast transaction');
    const logged = new Set(hashesOf('maker-executor'));
    expect(new Set(broadcasts.map(({ attributes }) => attributes['maker.transaction.hash']))).toEqual(logged);
    expect(new Set(sendings.map((span) => span.traceId))).toContain(broadcasts[0]?.traceId);
    expect(spansOf('maker-executor').some(({ name }) => name === 'eth_sendRawTransaction')).toBe(true);
  });

  it('are named in the log lines', () => {
    const { traceId } = spanNamed('api-gateway', 'POST /jobs/create');
    for (const service of ['api-gateway', 'job', 'token-validation'] as const) {
      expect(said(service).map((line) => line.traceId)).toContain(traceId);
    }
  });

  it('hold no API key or signed bytes', () => {
    const exported = receiver.bodies.join();
    expect(exported).not.toContain(running.stack.apiKey);
    // A signed transfer is longer than any hash.
    expect(exported).not.toMatch(/0x[0-9a-f]{65,}/i);
  });
});
