import { randomUUID } from 'node:crypto';
import { CHAIN_REACH_SUBJECT, JOB_CHANGES_SUBJECT, type JobChanges, type JobPaymentResponse } from '@maker/contracts';
import { NATS_CONNECTION } from '@maker/messaging';
import { Readiness } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForFile, KEY, ORIGIN, UNKNOWN_JOB } from '../gateway-stage.fixture.ts';
import { JOB_ID, paymentFixture } from '../service-answers.fixture.ts';
import { services } from '../services.fixture.ts';

const gateway = gatewayForFile();
const { announce, call, metrics } = gateway;

/** Headers that differ between two consecutive answers. */
const COUNTED = ['x-ratelimit-remaining', 'x-ratelimit-reset'];

describe('the snapshot', () => {
  const payment = async () => (await call('GET', `/jobs/${JOB_ID}/payment`)).json();

  it('answers polls from memory until an event', async () => {
    const before = services.countOf('job.payment.get');
    for (let poll = 0; poll < 20; poll++) await payment();
    // Not exactly one: an event of an earlier test, or the view's age on a slow machine, may cause another request.
    expect(services.countOf('job.payment.get') - before).toBeLessThan(5);
    services.payment = paymentFixture({ status: 'active', paymentReceived: true });
    await announce();
    await expect.poll(async () => (await payment()).status).toBe('active');
    expect(await metrics()).toMatch(/maker_snapshot_reads_total\{view="payment",outcome="hit"\} [1-9]/);
  });

  it('batches concurrent requests', async () => {
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

  /** Publishes a message of a feed, as a replica of the job service does, and waits until the gateway has received it. */
  async function publish(jobIds: readonly string[] = [], differences: Partial<JobChanges> = {}): Promise<void> {
    const { name, sequence } = feed;
    feed.sequence += 1;
    const message = { feed: name, sequence, jobIds, statusChanged: false, ageMs: 150, ...differences };
    const connection = gateway.app.get<NatsConnection>(NATS_CONNECTION, { strict: false });
    connection.publish(JOB_CHANGES_SUBJECT, JSON.stringify(message));
    await connection.flush();
  }

  const ask = (path: string, headers: Record<string, string> = {}, url = gateway.baseUrl) =>
    fetch(`${url}${path}`, { headers: { 'x-api-key': KEY, ...headers } });
  const paymentNow = async () => (await ask(PAYMENT)).json() as Promise<JobPaymentResponse>;
  const requests = () => services.countOf('job.payment.get');

  beforeEach(async () => {
    feed = { name: randomUUID(), sequence: 0 };
    await publish();
  });

  it('says since when the chain cannot be reached', async () => {
    const tell = async (message: object) => {
      const connection = gateway.app.get<NatsConnection>(NATS_CONNECTION, { strict: false });
      connection.publish(CHAIN_REACH_SUBJECT, JSON.stringify(message));
      await connection.flush();
    };
    const statusNow = async () => (await ask(`/jobs/${JOB_ID}/status`)).json();
    const before = await paymentNow();
    expect(before).not.toHaveProperty('chainUnreachableSince');
    const asked = requests();
    const chainUnreachableSince = '2026-11-28T12:00:00.000Z';
    await tell({ unreachableSince: chainUnreachableSince });
    expect(await paymentNow()).toEqual({ ...before, chainUnreachableSince });
    expect(await statusNow()).toMatchObject({ chainUnreachableSince });
    await tell({});
    expect(await paymentNow()).toEqual(before);
    expect(await statusNow()).not.toHaveProperty('chainUnreachableSince');
    expect(requests()).toBe(asked);
  });

  it('keeps an answer only while a feed is complete', async () => {
    await paymentNow();
    services.payment = paymentFixture({ receivedWei: '5' });
    const before = requests();
    const end = performance.now() + 1500;
    while (performance.now() < end) {
      await publish();
      expect((await paymentNow()).receivedWei).toBe('0');
    }
    expect(requests()).toBe(before);
    await expect.poll(async () => (await paymentNow()).receivedWei, { timeout: 1900, interval: 50 }).toBe('5');
  });

  it('is fresh after a change or a lost message', async () => {
    await paymentNow();
    services.payment = paymentFixture({ receivedWei: '5' });
    await publish([JOB_ID]);
    expect((await paymentNow()).receivedWei).toBe('5');
    services.payment = paymentFixture({ receivedWei: '6' });
    feed.sequence += 1;
    await publish();
    await expect.poll(async () => (await paymentNow()).receivedWei, { timeout: 1900, interval: 50 }).toBe('6');
  });

  it('has the landing figures of the last status change', async () => {
    await (await ask('/stats')).json();
    const before = services.countOf('job.stats.get');
    await publish([UNKNOWN_JOB]);
    await ask('/stats');
    expect(services.countOf('job.stats.get')).toBe(before);
    await publish([UNKNOWN_JOB], { statusChanged: true });
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
    expect((await fetch(`${gateway.baseUrl}/stats`, { headers: { 'if-none-match': tag } })).status).toBe(401);
  });

  it.each([
    ['without an origin', {}],
    ['to a page of a listed origin', { origin: ORIGIN }],
    ['to a holder of the figures', { 'if-none-match': '*' }],
  ])('have the bytes and headers of the framework, %s', async (_, headers) => {
    for (const path of [PAYMENT, '/stats']) {
      await (await ask(path)).text();
      const injected = await call('GET', path, { headers });
      const response = await ask(path, headers);
      expect(response.status).toBe(injected.statusCode);
      expect(await response.text()).toBe(injected.body);
      const plain = (all: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(all)
            .filter(([name]) => !['connection', 'date', 'keep-alive', 'x-request-id'].includes(name))
            .map(([name, value]) => [name, COUNTED.includes(name) ? 'counted' : String(value)]),
        );
      expect(plain(Object.fromEntries(response.headers))).toEqual(plain(injected.headers));
      // A second may pass between the two answers.
      expect(
        Number(injected.headers['x-ratelimit-reset']) - Number(response.headers.get('x-ratelimit-reset')),
      ).toBeOneOf([0, 1]);
      expect(Number(response.headers.get('x-ratelimit-remaining'))).toBe(
        Number(injected.headers['x-ratelimit-remaining']) - 1,
      );
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('refuses the same clients as the framework', async () => {
    await paymentNow();
    expect((await ask(PAYMENT, { 'x-api-key': 'a-wrong-key' })).status).toBe(401);
    expect((await fetch(`${gateway.baseUrl}${PAYMENT}`)).status).toBe(401);
    expect(
      (await ask(PAYMENT, { origin: 'https://evil.example' })).headers.get('access-control-allow-origin'),
    ).toBeNull();
    expect((await ask(`/jobs/${UNKNOWN_JOB}/payment`)).status).toBe(404);
    expect((await fetch(`${gateway.baseUrl}${PAYMENT}`, { method: 'DELETE' })).status).toBe(405);
  });

  it('keeps the caller’s request id, never a key', async () => {
    await paymentNow();
    const requestId = `web-${randomUUID()}`;
    expect((await ask(PAYMENT, { 'x-request-id': requestId })).headers.get('x-request-id')).toBe(requestId);
    expect((await ask(PAYMENT, { 'x-request-id': KEY })).headers.get('x-request-id')).not.toBe(KEY);
  });

  it.each([
    [PAYMENT, 'job.payment.get'],
    ['/stats', 'job.stats.get'],
  ])('passes the request id on for %s', async (path, subject) => {
    const requestId = `web-${randomUUID()}`;
    await publish([JOB_ID], { statusChanged: true });
    expect((await ask(path, { 'x-request-id': requestId })).status).toBe(200);
    expect(services.requests).toContainEqual(expect.objectContaining({ subject, requestId }));
  });

  it('shares one limit with the framework', async () => {
    const limited = await gateway.startAnother({ RATE_LIMIT_REQUESTS: '6' });
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
      gateway.logLines
        .slice(from)
        .map((line) => JSON.parse(line))
        .filter(({ route, msg }) => route === '/stats' && msg === 'request');
    const [before, linesBefore] = [await answered(), gateway.logLines.length];
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
    const ending = await gateway.startAnother();
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
