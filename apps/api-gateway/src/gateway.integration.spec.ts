import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Event,
  errorBodySchema,
  JOB_CHANGES_SUBJECT,
  type JobChanges,
  type JobPaymentResponse,
} from '@maker/contracts';
import { type NatsPart, startNats } from '@maker/local-stack';
import { NATS_CONNECTION } from '@maker/messaging';
import { createLogger, MetricsRegistry, Readiness } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import type { INestMicroservice } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGateway, writeApiKeys } from './gateway.fixture.ts';
import { operatorDocument, visitorDocument } from './openapi/documents.ts';
import {
  BAD_TOKEN,
  JOB_ID,
  ordersFixture,
  paymentFixture,
  receiptFixture,
  STOP_SECRET,
  services,
  startServices,
} from './services.fixture.ts';

const KEY = 'a-key-that-only-this-spec-knows';
const TOKEN = `0x${'1'.repeat(40)}`;
const UNKNOWN_JOB = `job_${'0'.repeat(32)}`;
const ORIGIN = 'https://bot.example';
/** Headers of which two answers in turn do not say the same. */
const COUNTED = ['x-ratelimit-remaining', 'x-ratelimit-reset'];

let broker: NatsPart;
let fakes: INestMicroservice;
let folder: string;
let keysFile: string;
let app: NestFastifyApplication;
let baseUrl: string;
const logLines: string[] = [];
const routes: { readonly method: string; readonly url: string }[] = [];

async function startGateway(environment: Record<string, string> = {}): Promise<NestFastifyApplication> {
  const common = {
    NATS_URL: broker.url,
    API_KEYS_FILE: keysFile,
    CORS_ORIGINS: ORIGIN,
    // Long enough for a first request while six files load, short enough for the tests of silence, which wait for it.
    REQUEST_TIMEOUT_MS: '2000',
    // Some tests poll as quickly as the machine can; those of the limit set their own.
    RATE_LIMIT_REQUESTS: '1000000',
  };
  const logger = createLogger('api-gateway', 'debug', { write: (line) => logLines.push(line) });
  return createGateway({ ...common, ...environment }, logger);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  keysFile = writeApiKeys(folder, [{ key: KEY, name: 'web', scopes: ['public'] }]);
  broker = await startNats();
  fakes = await startServices(broker.url);
  app = await startGateway();
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  await app.listen(0, '127.0.0.1');
  app.get(Readiness, { strict: false }).started();
  baseUrl = await app.getUrl();
});

afterAll(async () => {
  await app?.close();
  await fakes?.close();
  await broker?.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  services.reset();
  await announce('job.status_changed');
});

/** Publishes an event of the job, as an outbox relay does, and waits until the gateway has heard it. */
async function announce(type: string): Promise<void> {
  const event: Event = {
    id: randomUUID(),
    type,
    version: 1,
    occurredAt: new Date().toISOString(),
    jobId: JOB_ID,
    data: { from: 'pending_payment', to: 'active' },
  };
  const connection = app.get<NatsConnection>(NATS_CONNECTION, { strict: false });
  connection.publish(`events.${type}`, JSON.stringify(event));
  // The gateway listens on this connection, so the event has come back before the answer to the flush.
  await connection.flush();
}

const call = (method: 'GET' | 'POST' | 'HEAD', url: string, differences: InjectOptions = {}) =>
  app.inject({ method, url, ...differences, headers: { 'x-api-key': KEY, ...differences.headers } });

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  call('POST', url, { payload, headers });

const metrics = () => app.get(MetricsRegistry, { strict: false }).metrics();

describe('the six endpoints of specification § 7', () => {
  it('POST /validate-token answers 200 for good and bad tokens', async () => {
    const good = await post('/validate-token', { tokenAddress: TOKEN.toUpperCase().replace('0X', '0x') });
    expect(good.statusCode).toBe(200);
    expect(good.json()).toMatchObject({ isValid: true, liquidityStatus: { hasV2: true } });
    const bad = await post('/validate-token', { tokenAddress: BAD_TOKEN });
    expect(bad.statusCode).toBe(200);
    expect(bad.json()).toMatchObject({ isValid: false, errorMessage: 'Selling this token fails' });
  });

  it('POST /jobs/create answers 201 and sends wei', async () => {
    const body = { tokenAddress: TOKEN, paymentAmount: 0.5 };
    const response = await post('/jobs/create', body, { 'idempotency-key': 'form-1' });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({ jobId: JOB_ID, paymentAmount: 0.5 });
    expect(services.asked[0]?.payload).toEqual({
      tokenAddress: TOKEN,
      paymentAmountWei: '500000000000000000',
      idempotencyKey: 'form-1',
      apiKeyName: 'web',
      clientAddress: '127.0.0.1',
    });
  });

  it('GET /jobs/{jobId}/payment and /status answer what the specification reads', async () => {
    expect((await call('GET', `/jobs/${JOB_ID}/payment`)).json()).toMatchObject({
      status: 'pending_payment',
      paymentReceived: false,
    });
    expect((await call('GET', `/jobs/${JOB_ID}/status`)).json()).toMatchObject({ tokenAddress: TOKEN });
  });

  it('GET /stats answers the landing page’s figures', async () => {
    expect((await call('GET', '/stats')).json()).toEqual({ jobs: { active: 3 }, latestJob: { tokenAddress: TOKEN } });
  });

  it('GET /healthz is open', async () => {
    const response = await app.inject({ method: 'GET', url: '/healthz' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ok' });
  });
});

describe('POST /jobs/{jobId}/stop (design § 4)', () => {
  const stop = (stopSecret: unknown, jobId = JOB_ID) => post(`/jobs/${jobId}/stop`, { stopSecret });

  it('takes the secret in the body and logs none', async () => {
    const response = await stop(STOP_SECRET);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'active', outcome: 'it ends' });
    expect(services.asked[0]?.payload).toEqual({ jobId: JOB_ID, stopSecret: STOP_SECRET });
    expect(logLines.join('')).not.toContain(STOP_SECRET);
  });

  it('rejects a wrong secret with 403, malformed with 400', async () => {
    expect((await stop(`stop_${'x'.repeat(32)}`)).statusCode).toBe(403);
    expect((await stop('guess')).statusCode).toBe(400);
    expect((await stop(undefined)).statusCode).toBe(400);
  });
});

describe('POST /jobs/{jobId}/return-address (design § 4)', () => {
  const change = (returnAddress: string) =>
    post(`/jobs/${JOB_ID}/return-address`, { stopSecret: STOP_SECRET, returnAddress });

  it('forwards the address in lower case, logs no secret', async () => {
    const response = await change('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ returnAddress: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' });
    expect(logLines.join('')).not.toContain(STOP_SECRET);
  });

  it.each([
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'capital letters'],
    ['0x000000000000000000000000000000000000dEaD', 'lost'],
  ])('refuses %s with 400 and its reason', async (address, reason) => {
    const response = await change(address);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ message: expect.stringContaining(reason) });
    expect(services.asked).toEqual([]);
  });
});

describe('unpaid jobs and unknown tokens (design § 7)', () => {
  it('passes on that too many jobs wait, 429 with Retry-After', async () => {
    services.refusing = { subject: 'job.create', code: 'TOO_MANY_OPEN_JOBS' };
    const response = await post('/jobs/create', { tokenAddress: TOKEN, paymentAmount: 0.5 });
    expect(response.statusCode).toBe(429);
    expect(response.json()).toMatchObject({ code: 'TOO_MANY_OPEN_JOBS', message: 'not now' });
    expect(response.headers['retry-after']).toBe('60');
  });

  it('limits tokens that were not tradable, and no others', async () => {
    const limited = await startGateway({ RATE_LIMIT_UNKNOWN_TOKENS: '3' });
    await limited.init();
    const ask = (url: string, tokenAddress: string) =>
      limited.inject({
        method: 'POST',
        url,
        payload: { tokenAddress, paymentAmount: 1 },
        headers: { 'x-api-key': KEY },
      });
    try {
      for (let count = 0; count < 6; count += 1) expect((await ask('/validate-token', TOKEN)).statusCode).toBe(200);
      expect((await ask('/validate-token', BAD_TOKEN)).statusCode).toBe(200);
      expect((await ask('/jobs/create', BAD_TOKEN)).statusCode).toBe(422);
      for (const url of ['/validate-token', '/plan', '/jobs/create']) {
        const refused = await ask(url, BAD_TOKEN);
        expect(refused.statusCode).toBe(429);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
        expect((await ask(url, TOKEN)).statusCode).toBeLessThan(300);
      }
    } finally {
      await limited.close();
    }
  });
});

describe('POST /plan (design § 4a)', () => {
  it('sends wei and answers 200 with the plan', async () => {
    const response = await post('/plan', { tokenAddress: TOKEN, paymentAmount: 0.5 });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ depositWei: '500000000000000000', orders: { count: 625 }, warnings: [] });
    expect(services.asked[0]?.payload).toEqual({ tokenAddress: TOKEN, paymentAmountWei: '500000000000000000' });
  });

  it('makes eight concurrent plans per client, others keep theirs', async () => {
    services.silent = 'job.plan.make';
    const limited = await startGateway({ HTTP_TRUSTED_PROXIES: '127.0.0.1' });
    await limited.init();
    const ask = (client: string) =>
      limited.inject({
        method: 'POST',
        url: '/plan',
        payload: { tokenAddress: TOKEN, paymentAmount: 0.5 },
        headers: { 'x-api-key': KEY, 'x-forwarded-for': client },
      });
    try {
      const answers = Promise.all(Array.from({ length: 20 }, () => ask('203.0.113.1')));
      const other = ask('203.0.113.2');
      const statuses = (await answers).map(({ statusCode }) => statusCode);
      expect(statuses.filter((status) => status === 429)).toHaveLength(12);
      expect(services.countOf('job.plan.make')).toBe(9);
      expect((await other).statusCode).toBe(504);
      services.silent = undefined;
      expect((await ask('203.0.113.1')).statusCode).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('explains in a sentence why a job is refused', async () => {
    services.refusing = { subject: 'job.plan.make', code: 'NO_CAPACITY' };
    const response = await post('/plan', { tokenAddress: TOKEN, paymentAmount: 1000 });
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'NO_CAPACITY', message: 'not now', error: 'Conflict' });
    expect(response.headers['retry-after']).toBe('60');
    expect((await post('/plan', { tokenAddress: TOKEN, paymentAmount: -1 })).statusCode).toBe(400);
  });
});

describe('access', () => {
  it('answers a missing and a wrong key with 401', async () => {
    const closed = routes.filter(({ method, url }) => ['GET', 'POST'].includes(method) && !isOpen(url));
    expect(closed.length).toBeGreaterThanOrEqual(8);
    for (const { method, url } of closed) {
      const path = url.replace(':jobId', JOB_ID);
      const request = { method: method as 'GET', url: path, ...(method === 'POST' ? { payload: {} } : {}) };
      const [missing, wrong] = await Promise.all([
        app.inject(request),
        app.inject({ ...request, headers: { 'x-api-key': `${KEY}x` } }),
      ]);
      expect([path, missing.statusCode, wrong.statusCode]).toEqual([path, 401, 401]);
      const plain = ({ requestId: _, ...body }: Record<string, unknown>) => body;
      expect(plain(missing.json())).toEqual(plain(wrong.json()));
    }
    expect(services.asked).toEqual([]);
  });

  it('never writes a key to the log', async () => {
    await call('GET', '/stats');
    await app.inject({ method: 'GET', url: '/stats', headers: { 'x-api-key': 'a-wrong-key' } });
    expect(logLines.join('')).not.toMatch(new RegExp(`${KEY}|a-wrong-key`));
  });

  it('allows listed origins only, with the headers they need', async () => {
    const preflight = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/jobs/create',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const listed = await preflight(ORIGIN);
    expect(listed.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(String(listed.headers['access-control-allow-headers'])).toBe(
      'content-type, x-api-key, idempotency-key, x-request-id',
    );
    expect((await app.inject({ method: 'OPTIONS', url: '/stats' })).statusCode).toBe(204);
    const answer = await call('GET', '/stats', { headers: { origin: ORIGIN } });
    expect(String(answer.headers['access-control-expose-headers'])).toContain('x-request-id');
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('limits requests with Retry-After, except /healthz', async () => {
    const limited = await startGateway({ RATE_LIMIT_REQUESTS: '3' });
    await limited.init();
    try {
      const get = (url: string) => limited.inject({ method: 'GET', url, headers: { 'x-api-key': KEY } });
      const answers = [];
      for (let count = 0; count < 4; count += 1) answers.push(await get('/stats'));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
      expect(errorBodySchema.parse(answers[3]?.json())).toMatchObject({ code: 'TOO_MANY_REQUESTS', statusCode: 429 });
      expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0);
      for (let count = 0; count < 5; count += 1) expect((await get('/healthz')).statusCode).not.toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('errors', () => {
  const create = (body: object, headers = {}) => post('/jobs/create', body, headers);
  const raw = (payload: string, contentType: string) =>
    call('POST', '/validate-token', { payload, headers: { 'content-type': contentType } });
  const good = { tokenAddress: TOKEN, paymentAmount: 0.5 };

  it.each([
    ['an unknown route', 404, 'NOT_FOUND', () => call('GET', '/nothing')],
    ['an unknown job', 404, 'JOB_NOT_FOUND', () => call('GET', `/jobs/${UNKNOWN_JOB}/payment`)],
    ['an unknown job’s status', 404, 'JOB_NOT_FOUND', () => call('GET', `/jobs/${UNKNOWN_JOB}/status`)],
    ['an unknown job’s orders', 404, 'JOB_NOT_FOUND', () => call('GET', `/jobs/${UNKNOWN_JOB}/orders`)],
    ['an unknown job’s receipt', 404, 'JOB_NOT_FOUND', () => call('GET', `/jobs/${UNKNOWN_JOB}/receipt.csv`)],
    ['an unknown job’s events', 404, 'JOB_NOT_FOUND', () => call('GET', `/jobs/${UNKNOWN_JOB}/events`)],
    ['a malformed job id', 404, 'JOB_NOT_FOUND', () => call('GET', '/jobs/1/payment')],
    ['an endless job id', 404, 'NOT_FOUND', () => call('GET', `/jobs/${'a'.repeat(2000)}/payment`)],
    ['a malformed escape', 400, 'INVALID_REQUEST', () => call('GET', '/jobs/%/payment')],
    ['malformed JSON', 400, 'INVALID_REQUEST', () => raw('{"tokenAddress":', 'application/json')],
    ['an empty body', 400, 'INVALID_REQUEST', () => call('POST', '/validate-token')],
    ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', () => raw('a=1', 'application/x-www-form-urlencoded')],
    ['plain text', 415, 'UNSUPPORTED_MEDIA_TYPE', () => raw('{}', 'text/plain')],
    ['a body over 64 kB', 413, 'PAYLOAD_TOO_LARGE', () => raw(`"${'a'.repeat(65 * 1024)}"`, 'application/json')],
    ['an amount finer than a wei', 422, 'AMOUNT_OUT_OF_RANGE', () => create({ ...good, paymentAmount: 1e-19 })],
    ['a method that a route has not', 405, 'METHOD_NOT_ALLOWED', () => app.inject({ method: 'DELETE', url: '/stats' })],
    ['a method of other protocols', 405, 'METHOD_NOT_ALLOWED', () => app.inject({ method: 'TRACE', url: '/stats' })],
    ['a wrong idempotency key', 400, 'INVALID_REQUEST', () => create(good, { 'idempotency-key': 'two words' })],
    ['a bad query', 400, 'INVALID_REQUEST', () => call('GET', `/jobs/${JOB_ID}/orders?limit=0`)],
    ['a refusal of a service', 422, 'TOKEN_NOT_TRADABLE', () => create({ ...good, tokenAddress: BAD_TOKEN })],
  ])('answers %s with %d and the error body', async (_, status, code, request) => {
    const response = await request();
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    const body = errorBodySchema.strict().parse(response.json());
    expect(body).toMatchObject({ statusCode: status, code, requestId: response.headers['x-request-id'] });
  });

  it.each([
    [{ tokenAddress: TOKEN }, 'paymentAmount'],
    [{ ...good, paymentAmount: '0.5' }, 'paymentAmount'],
    [{ ...good, paymentAmount: -1 }, 'paymentAmount'],
    [{ ...good, tokenAddress: `0x${'z'.repeat(40)}` }, 'tokenAddress: must be 0x followed by 40 hexadecimal digits'],
    [{ ...good, returnAddress: 'me' }, 'returnAddress'],
    [{ ...good, returnAddress: `0x${'22'.repeat(20)}` }, 'returnAddress: Nobody holds the keys of this address'],
    [[], 'body'],
  ])('names the field that is wrong in %j', async (body, message) => {
    const response = await create(body);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toContain(message);
    expect(services.asked).toEqual([]);
  });

  it('takes nothing from a poisoned prototype', async () => {
    const poison = `{"__proto__":{"tokenAddress":"${TOKEN}"},"constructor":{"prototype":{"tokenAddress":"${TOKEN}"}}}`;
    expect((await raw(poison, 'application/json')).statusCode).toBe(400);
    const response = await raw(`{"tokenAddress":"${TOKEN}","__proto__":{"a":1}}`, 'application/json');
    expect(response.statusCode).toBe(200);
    expect(services.asked[0]?.payload).toEqual({ tokenAddress: TOKEN, clientAddress: '127.0.0.1' });
  });

  it('names the methods that a route has', async () => {
    expect((await app.inject({ method: 'PUT', url: '/stats?a=1' })).headers.allow).toBe('GET, HEAD');
    expect((await app.inject({ method: 'GET', url: '/jobs/create' })).headers.allow).toBe('POST');
    expect((await call('HEAD', '/stats')).statusCode).toBe(200);
    // A stream has no end that HEAD could be answered at.
    expect((await call('HEAD', `/jobs/${JOB_ID}/events`)).statusCode).toBe(405);
  });

  it.each([
    ['is no HTTP', 'GET /stats\r\nnonsense\r\n\r\n'],
    ['has endless headers', `GET /stats HTTP/1.1\r\nhost: api\r\nx-api-key: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('answers what %s with the error body', async (_, bytes) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const body = errorBodySchema.strict().parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))));
    expect(body).toMatchObject({ statusCode: 400, code: 'INVALID_REQUEST' });
  });

  it('answers 504 when a service stays silent', async () => {
    services.silent = 'token.validate';
    const response = await post('/validate-token', { tokenAddress: TOKEN });
    expect(response.statusCode).toBe(504);
    expect(response.json()).toMatchObject({ code: 'SERVICE_TIMEOUT', error: 'Gateway Timeout' });
  });

  it('answers 503 when no service responds', async () => {
    await fakes.close();
    try {
      const ask = async () => (await post('/validate-token', { tokenAddress: TOKEN })).json();
      // A question that the broker takes before it sees their connection closed is one that nobody answers in time.
      await expect.poll(ask, { timeout: 20_000 }).toMatchObject({ statusCode: 503, code: 'SERVICE_UNAVAILABLE' });
    } finally {
      fakes = await startServices(broker.url);
    }
  });
});

describe('every answer', () => {
  it('sends security headers and caches only landing figures', async () => {
    const [stats, payment] = [await call('GET', '/stats'), await call('GET', `/jobs/${JOB_ID}/payment`)];
    expect(stats.headers['cache-control']).toBe('public, max-age=0, s-maxage=5');
    for (const response of [payment, await call('GET', '/nothing'), await app.inject('/stats')]) {
      expect(response.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
    }
  });

  it('passes a well-formed request id to services and log', async () => {
    const requestId = `web-${randomUUID()}`;
    const body = { tokenAddress: TOKEN };
    const response = await post('/validate-token', body, { 'x-request-id': requestId });
    expect(response.headers['x-request-id']).toBe(requestId);
    expect(services.asked[0]?.requestId).toBe(requestId);
    expect(logLines.some((line) => JSON.parse(line).requestId === requestId)).toBe(true);
  });

  it('is counted by its route template', async () => {
    await call('GET', `/jobs/${JOB_ID}/payment`);
    await call('GET', '/some/path/nobody/has');
    const text = await metrics();
    expect(text).toContain('maker_http_requests_total{method="GET",route="/jobs/:jobId/payment",status="200"}');
    expect(text).toContain('maker_http_requests_total{method="GET",route="unmatched",status="404"}');
    expect(text).toContain('maker_nats_requests_total{subject="job.payment.get",outcome="answered"}');
    expect(text).not.toContain(JOB_ID);
    expect(text).not.toContain('nobody');
    expect(text).not.toContain('maker_http_request_duration_seconds_count{method="GET",route="/jobs/:jobId/events"}');
  });
});

describe('the snapshot', () => {
  const payment = async () => (await call('GET', `/jobs/${JOB_ID}/payment`)).json();

  it('answers polls from memory until an event', async () => {
    const asked = services.countOf('job.payment.get');
    for (let poll = 0; poll < 20; poll++) await payment();
    // Not one exactly: an event of an earlier test, or the view's age on a slow machine, may ask for another.
    expect(services.countOf('job.payment.get') - asked).toBeLessThan(5);
    services.payment = paymentFixture({ status: 'active', paymentReceived: true });
    await announce('job.activated');
    await expect.poll(async () => (await payment()).status).toBe('active');
    expect(await metrics()).toMatch(/maker_snapshot_reads_total\{view="payment",outcome="hit"\} [1-9]/);
  });

  it('batches the questions of a crowd into one', async () => {
    const jobIds = Array.from({ length: 30 }, (_, index) => `job_${index.toString(16).padStart(32, '0')}`);
    const before = services.countOf('job.payment.get') + services.countOf('job.payments.get');
    const answers = await Promise.all(
      jobIds.map(async (jobId) => (await call('GET', `/jobs/${jobId}/payment`)).json()),
    );
    expect(answers.map(({ jobId }) => jobId)).toEqual(jobIds);
    expect(services.countOf('job.payment.get') + services.countOf('job.payments.get') - before).toBeLessThan(15);
  });

  it('refreshes after a few seconds when an event is lost', async () => {
    await payment();
    services.payment = paymentFixture({ receivedWei: '5' });
    await expect.poll(async () => (await payment()).receivedWei, { timeout: 6000, interval: 200 }).toBe('5');
  });
});

describe('polled answers (docs/adr/0078)', () => {
  const PAYMENT = `/jobs/${JOB_ID}/payment`;
  let feed: { name: string; sequence: number };

  /** Publishes a message of a feed, as a replica of the job service does, and waits until the gateway has heard it. */
  async function tell(jobIds: readonly string[] = [], differences: Partial<JobChanges> = {}): Promise<void> {
    const { name, sequence } = feed;
    feed.sequence += 1;
    const message = { feed: name, sequence, jobIds, statusChanged: false, upToDate: true, ...differences };
    const connection = app.get<NatsConnection>(NATS_CONNECTION, { strict: false });
    connection.publish(JOB_CHANGES_SUBJECT, JSON.stringify(message));
    await connection.flush();
  }

  const ask = (path: string, headers: Record<string, string> = {}, url = baseUrl) =>
    fetch(`${url}${path}`, { headers: { 'x-api-key': KEY, ...headers } });
  const paymentNow = async () => (await ask(PAYMENT)).json() as Promise<JobPaymentResponse>;
  const asked = () => services.countOf('job.payment.get');

  beforeEach(async () => {
    feed = { name: randomUUID(), sequence: 0 };
    await tell();
  });

  it('keeps an answer only while a feed vouches for it', async () => {
    await paymentNow();
    services.payment = paymentFixture({ receivedWei: '5' });
    const before = asked();
    const end = performance.now() + 1500;
    while (performance.now() < end) {
      await tell();
      expect((await paymentNow()).receivedWei).toBe('0');
    }
    expect(asked()).toBe(before);
    await expect.poll(async () => (await paymentNow()).receivedWei, { timeout: 1900, interval: 50 }).toBe('5');
  });

  it('is fresh after a change or a lost message', async () => {
    await paymentNow();
    services.payment = paymentFixture({ receivedWei: '5' });
    await tell([JOB_ID]);
    expect((await paymentNow()).receivedWei).toBe('5');
    services.payment = paymentFixture({ receivedWei: '6' });
    feed.sequence += 1;
    await tell();
    await expect.poll(async () => (await paymentNow()).receivedWei, { timeout: 1900, interval: 50 }).toBe('6');
  });

  it('has the landing figures of the last status change', async () => {
    await (await ask('/stats')).json();
    const before = services.countOf('job.stats.get');
    await tell([UNKNOWN_JOB]);
    await ask('/stats');
    expect(services.countOf('job.stats.get')).toBe(before);
    await tell([UNKNOWN_JOB], { statusChanged: true });
    await ask('/stats');
    expect(services.countOf('job.stats.get')).toBe(before + 1);
  });

  it('sends one shared copy, and 304 to its holders', async () => {
    const first = await ask('/stats');
    const body = await first.text();
    expect(first.headers.get('vary')).toBe('Origin');
    expect(first.headers.get('cdn-cache-control')).toBe('max-age=5, stale-while-revalidate=25');
    const tag = first.headers.get('etag') ?? '';
    for (const held of [tag, `W/${tag}`, `"another", ${tag}`, '*']) {
      const again = await ask('/stats', { 'if-none-match': held });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect(await (await ask('/stats', { 'if-none-match': '"another"' })).text()).toBe(body);
    expect((await fetch(`${baseUrl}/stats`, { headers: { 'if-none-match': tag } })).status).toBe(401);
  });

  it.each([
    ['without an origin', {}],
    ['to a page of a listed origin', { origin: ORIGIN }],
    ['to who has the figures already', { 'if-none-match': '*' }],
  ])('answers with the bytes and headers of the framework, %s', async (_, headers) => {
    for (const path of [PAYMENT, '/stats']) {
      await (await ask(path)).text();
      const long = await call('GET', path, { headers });
      const response = await ask(path, headers);
      expect(response.status).toBe(long.statusCode);
      expect(await response.text()).toBe(long.body);
      const plain = (all: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(all)
            .filter(([name]) => !['connection', 'date', 'keep-alive', 'x-request-id'].includes(name))
            .map(([name, value]) => [name, COUNTED.includes(name) ? 'counted' : String(value)]),
        );
      expect(plain(Object.fromEntries(response.headers))).toEqual(plain(long.headers));
      // A second may end between the two.
      expect(Number(long.headers['x-ratelimit-reset']) - Number(response.headers.get('x-ratelimit-reset'))).toBeOneOf([
        0, 1,
      ]);
      expect(Number(response.headers.get('x-ratelimit-remaining'))).toBe(
        Number(long.headers['x-ratelimit-remaining']) - 1,
      );
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('refuses clients that the framework refuses', async () => {
    await paymentNow();
    expect((await ask(PAYMENT, { 'x-api-key': 'a-wrong-key' })).status).toBe(401);
    expect((await fetch(`${baseUrl}${PAYMENT}`)).status).toBe(401);
    expect(
      (await ask(PAYMENT, { origin: 'https://evil.example' })).headers.get('access-control-allow-origin'),
    ).toBeNull();
    expect((await ask(`/jobs/${UNKNOWN_JOB}/payment`)).status).toBe(404);
    expect((await fetch(`${baseUrl}${PAYMENT}`, { method: 'DELETE' })).status).toBe(405);
  });

  it('keeps the caller’s request id, never a key', async () => {
    await paymentNow();
    const requestId = `web-${randomUUID()}`;
    expect((await ask(PAYMENT, { 'x-request-id': requestId })).headers.get('x-request-id')).toBe(requestId);
    expect((await ask(PAYMENT, { 'x-request-id': KEY })).headers.get('x-request-id')).not.toBe(KEY);
  });

  it('shares one limit with the framework', async () => {
    const limited = await startGateway({ RATE_LIMIT_REQUESTS: '6' });
    await limited.listen(0, '127.0.0.1');
    try {
      const url = await limited.getUrl();
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1) {
        const way = count % 2 === 0 ? {} : { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
        statuses.push((await ask('/stats', way, url)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    } finally {
      await limited.close();
    }
  });

  it('counts each answer, logs failures only at info level', async () => {
    const answered = async () =>
      Number(
        /maker_http_requests_total\{method="GET",route="\/stats",status="200"\} (\d+)/.exec(await metrics())?.[1] ?? 0,
      );
    const linesOf = (from: number) =>
      logLines
        .slice(from)
        .map((line) => JSON.parse(line))
        .filter(({ route, msg }) => route === '/stats' && msg === 'request');
    const [before, linesBefore] = [await answered(), logLines.length];
    for (let count = 0; count < 40; count += 1) await (await ask('/stats')).text();
    expect((await ask('/stats', { 'x-api-key': 'another' })).status).toBe(401);
    expect((await answered()) - before).toBe(40);
    const levels = () => linesOf(linesBefore).map(({ level, status, apiKeyName }) => ({ level, status, apiKeyName }));
    const quiet = { level: 'debug', status: 200, apiKeyName: 'web' };
    await expect
      .poll(levels)
      .toEqual([...Array.from({ length: 40 }, () => quiet), { level: 'info', status: 401, apiKeyName: undefined }]);
  });

  it('closes connections when the gateway stops', async () => {
    const ending = await startGateway();
    await ending.listen(0, '127.0.0.1');
    const url = await ending.getUrl();
    await (await ask('/stats', {}, url)).text();
    ending.get(Readiness, { strict: false }).drain();
    const response = await ask('/stats', {}, url);
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await response.text();
    await ending.close();
  });
});

describe('the receipt', () => {
  it('is in the status, absent when maker-executor is silent', async () => {
    services.receipt = receiptFixture();
    services.payment = paymentFixture({ status: 'active', paymentReceived: true });
    const status = async () => (await call('GET', `/jobs/${JOB_ID}/status`)).json();
    await expect.poll(async () => (await status()).receipt?.plannedOrders).toBe(625);
    services.silent = 'execution.receipt.get';
    await announce('order.mined');
    await expect.poll(async () => (await status()).receiptUnavailable, { timeout: 5000 }).toBe(true);
    expect((await status()).receipt).toBeUndefined();
  });

  it('is not requested before the job is paid', async () => {
    services.silent = 'execution.receipt.get';
    const status = (await call('GET', `/jobs/${JOB_ID}/status`)).json();
    expect(status.status).toBe('pending_payment');
    expect(status).not.toHaveProperty('receiptUnavailable');
    expect(services.countOf('execution.receipt.get')).toBe(0);
  });

  it('lists orders in pages', async () => {
    services.orders = ordersFixture(5);
    const page = (await call('GET', `/jobs/${JOB_ID}/orders?after=1&limit=2`)).json();
    expect(page.orders.map((order: { number: number }) => order.number)).toEqual([2, 3]);
  });

  it('comes as CSV with every transfer and order, however many', async () => {
    services.receipt = receiptFixture();
    services.orders = ordersFixture(1203);
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.csv`);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${JOB_ID}.csv"`,
    });
    const lines = response.body.trim().split('\r\n');
    expect(lines).toHaveLength(1 + 1 + 1203);
    expect(lines[1]).toContain('fee,');
    expect(lines.at(-1)).toContain(`order,1203,mined,${services.orders.at(-1)?.transactionHash}`);
  });

  it('comes as the signed text, with any number of orders', async () => {
    services.signedOrders = Array.from({ length: 1203 }, (_, index) => `{"number":${index + 1}}`);
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.json`);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${JOB_ID}.json"`,
    });
    expect(response.body).toBe(
      `{"receipt":{"jobId":"x","orders":[${services.signedOrders.join(',')}]},"signature":"0xab"}`,
    );
  });

  it('comes in bounded messages however many deposits there are', async () => {
    services.signedOrders = ['{"number":1}'];
    services.signedHead = JSON.stringify({
      deposits: Array.from({ length: 50_000 }, (_, index) => `deposit ${index}`),
    });
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.json`);
    const { receipt } = JSON.parse(response.body);
    expect(receipt.deposits).toHaveLength(50_000);
    expect(receipt.orders).toEqual([{ number: 1 }]);
  });

  it('does not exist before the job is paid', async () => {
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.json`);
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
  });

  it('has only its header before the job runs', async () => {
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.csv`);
    expect(response.body.trim().split('\r\n')).toHaveLength(1);
  });
});

describe('the live channel', () => {
  const openStream = (signal: AbortSignal) =>
    fetch(`${baseUrl}/jobs/${JOB_ID}/events`, { signal, headers: { 'x-api-key': KEY, origin: ORIGIN } });

  it('sends the status after each event until the end', async () => {
    const response = await openStream(AbortSignal.timeout(20_000));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const statuses: string[] = [];
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      const seen = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '').status as string);
      if (seen.length === statuses.length) continue;
      statuses.splice(0, statuses.length, ...seen);
      const next = ({ pending_payment: 'active', active: 'completed' } as const)[seen.at(-1) ?? ''];
      if (!next) continue;
      services.payment = paymentFixture({ status: next, paymentReceived: true });
      await announce('job.status_changed');
    }
    expect(statuses).toEqual(['pending_payment', 'active', 'completed']);
    expect(text).toContain('event: status');
  });

  it('queries once per payment, after the write', async () => {
    const leaving = new AbortController();
    const reader = (await openStream(leaving.signal)).body?.getReader();
    let text = '';
    const toldOf = async (words: string) => {
      while (!text.includes(words)) text += new TextDecoder().decode((await reader?.read())?.value);
    };
    await toldOf('"receivedWei":"0"');
    const asked = () => services.countOf('job.status.get');
    expect(asked()).toBe(1);
    for (const type of ['job.created', 'payment.seen', 'payment.received']) await announce(type);
    services.payment = paymentFixture({ waitingWei: '5' });
    const connection = app.get<NatsConnection>(NATS_CONNECTION, { strict: false });
    const written: JobChanges = {
      feed: randomUUID(),
      sequence: 0,
      jobIds: [JOB_ID],
      statusChanged: false,
      upToDate: true,
    };
    connection.publish(JOB_CHANGES_SUBJECT, JSON.stringify(written));
    await toldOf('"waitingWei":"5"');
    expect(asked()).toBe(2);
    expect(services.countOf('execution.receipt.get')).toBe(0);
    leaving.abort();
  });

  it('counts streams, refuses above the limit, forgets closed ones', async () => {
    const small = await startGateway({ LIVE_MAX_STREAMS_PER_CLIENT: '1' });
    await small.listen(0, '127.0.0.1');
    const url = `${await small.getUrl()}/jobs/${JOB_ID}/events`;
    const open = (signal?: AbortSignal) => fetch(url, { headers: { 'x-api-key': KEY }, ...(signal ? { signal } : {}) });
    const openStreams = async () =>
      /^maker_live_streams (\d+)$/m.exec(await small.get(MetricsRegistry, { strict: false }).metrics())?.[1];
    try {
      const leaving = new AbortController();
      await (await open(leaving.signal)).body?.getReader().read();
      expect(await openStreams()).toBe('1');
      const refused = await open();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('30');
      expect(errorBodySchema.parse(await refused.json()).code).toBe('TOO_MANY_REQUESTS');
      leaving.abort();
      await expect.poll(openStreams).toBe('0');
    } finally {
      await small.close();
    }
  });

  it('ends its streams when the gateway shuts down', async () => {
    const closing = await startGateway();
    await closing.listen(0, '127.0.0.1');
    const response = await fetch(`${await closing.getUrl()}/jobs/${JOB_ID}/events`, { headers: { 'x-api-key': KEY } });
    const reader = response.body?.getReader();
    await reader?.read();
    await closing.close();
    let ended = false;
    while (!ended) ended = (await reader?.read())?.done ?? true;
    expect(ended).toBe(true);
  });
});

describe('/openapi.json', () => {
  it('describes every route that the server has, and no other', async () => {
    const documents = [visitorDocument(), operatorDocument()] as { paths: Record<string, object> }[];
    const described = documents.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      ),
    );
    const document = (await app.inject({ method: 'GET', url: '/openapi.json' })).json();
    expect(document).toEqual(JSON.parse(JSON.stringify(documents[0])));
    expect((await call('GET', '/operator/openapi.json')).statusCode).toBe(403);
    const served = routes
      .filter(({ method }) => method === 'GET' || method === 'POST')
      .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(served.sort());
    expect(document.openapi).toBe('3.1.0');
    expect(document.paths['/jobs/create'].post.requestBody.content['application/json'].schema.required).toEqual([
      'tokenAddress',
      'paymentAmount',
    ]);
  });
});

function isOpen(url: string): boolean {
  return url === '/healthz' || url === '/openapi.json' || url === '*';
}
