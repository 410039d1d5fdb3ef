import type { AddressInfo } from 'node:net';
import { commonEnvironment, parseConfiguration } from '@maker/service-kit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewayForFile, KEY, TOKEN } from './gateway-stage.fixture.ts';
import { BAD_TOKEN, badToken, JOB_ID, STOP_SECRET } from './service-answers.fixture.ts';
import { services } from './services.fixture.ts';

const FORM_KEY = '8c1b5f0e-3f0d-4c0a-9f5e-2f1f6f0c9a11';

const gateway = gatewayForFile();

type Ask = (
  url: string,
  tokenAddress: string,
) => Promise<{ readonly statusCode: number; readonly headers: Readonly<Record<string, unknown>> }>;
const { call, post } = gateway;

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
    const metadata = { orderId: '1234' };
    const body = { tokenAddress: TOKEN, paymentAmount: 0.5, metadata };
    const response = await post('/jobs/create', body, { 'idempotency-key': FORM_KEY });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({ jobId: JOB_ID, paymentAmount: 0.5 });
    expect(services.requests[0]?.payload).toEqual({
      tokenAddress: TOKEN,
      paymentAmountWei: '500000000000000000',
      metadata,
      idempotencyKey: FORM_KEY,
      apiKeyName: 'web',
      clientAddress: '127.0.0.1',
    });
  });

  it('POST /jobs/create marks a replay by a header alone', async () => {
    const create = () =>
      post('/jobs/create', { tokenAddress: TOKEN, paymentAmount: 0.5 }, { 'idempotency-key': FORM_KEY });
    const first = await create();
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    services.replays = true;
    const repeated = await create();
    expect([repeated.statusCode, repeated.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(Object.keys(repeated.json())).toEqual(Object.keys(first.json()));
  });

  it('POST /jobs/create shows no forged address', async () => {
    const thief = `0x${'b1'.repeat(20)}`;
    services.lie = { paymentAddress: thief };
    const response = await post('/jobs/create', { tokenAddress: TOKEN, paymentAmount: 0.5 });
    expect(response.statusCode).toBe(502);
    expect(response.json()).toMatchObject({
      code: 'AGREEMENT_INVALID',
      message: expect.stringContaining('send no money'),
    });
    expect(response.body).not.toContain(thief);
    const refused = 'method="POST",route="/jobs/create",status="502"} 1';
    expect(await gateway.metrics()).toContain(refused);
  });

  it('GET /jobs/{jobId}/payment and /status have the specified fields', async () => {
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
    const response = await gateway.app.inject({ method: 'GET', url: '/healthz' });
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
    expect(services.requests[0]?.payload).toEqual({ jobId: JOB_ID, stopSecret: STOP_SECRET });
    expect(gateway.logLines.join('')).not.toContain(STOP_SECRET);
  });

  it('rejects a wrong secret with 403, malformed with 400', async () => {
    expect((await stop(`stop_${'x'.repeat(32)}`)).statusCode).toBe(403);
    expect((await stop('guess')).statusCode).toBe(400);
    expect((await stop(undefined)).statusCode).toBe(400);
  });
});

describe('POST /jobs/{jobId}/start (docs/adr/0148)', () => {
  const start = (stopSecret: unknown) => post(`/jobs/${JOB_ID}/start`, { stopSecret });

  it('forwards the secret, answers with the sum', async () => {
    const response = await start(STOP_SECRET);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'active', amountWei: '410000000000000000' });
    expect(services.requests[0]).toMatchObject({ payload: { jobId: JOB_ID, stopSecret: STOP_SECRET } });
    expect(gateway.logLines.join('')).not.toContain(STOP_SECRET);
  });

  it('rejects a wrong secret with 403, malformed with 400', async () => {
    expect((await start(`stop_${'x'.repeat(32)}`)).statusCode).toBe(403);
    expect((await start('guess')).statusCode).toBe(400);
  });
});

describe('POST /jobs/{jobId}/return-address (design § 4)', () => {
  const change = (returnAddress: string) =>
    post(`/jobs/${JOB_ID}/return-address`, { stopSecret: STOP_SECRET, returnAddress });

  it('forwards the address in lower case, logs no secret', async () => {
    const response = await change('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ returnAddress: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' });
    expect(gateway.logLines.join('')).not.toContain(STOP_SECRET);
  });

  it.each([
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'capital letter'],
    ['0x000000000000000000000000000000000000dEaD', 'lost'],
  ])('refuses %s with 400 and its reason', async (address, reason) => {
    const response = await change(address);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ message: expect.stringContaining(reason) });
    expect(services.requests).toEqual([]);
  });
});

describe('unpaid jobs and unknown tokens (design § 7)', () => {
  it('answers too many unpaid jobs with 429 and Retry-After', async () => {
    services.refusing = { subject: 'job.create', code: 'TOO_MANY_OPEN_JOBS' };
    const response = await post('/jobs/create', { tokenAddress: TOKEN, paymentAmount: 0.5 });
    expect(response.statusCode).toBe(429);
    expect(response.json()).toMatchObject({ code: 'TOO_MANY_OPEN_JOBS', message: 'not now' });
    expect(response.headers['retry-after']).toBe('60');
  });

  /** A gateway that allows three unknown tokens of a client. */
  const withThreeTokens = async (use: (ask: Ask) => Promise<void>) => {
    const limited = await gateway.startAnother({ RATE_LIMIT_REQUESTS: '30' });
    await limited.init();
    const headers = { 'x-api-key': KEY };
    try {
      await use(async (url, tokenAddress) => {
        const payload = { tokenAddress, ...(url !== '/validate-token' && { paymentAmount: 1 }) };
        return limited.inject({ method: 'POST', url, payload, headers });
      });
    } finally {
      await limited.close();
    }
  };

  it('limits tokens that were not tradable, and no others', () =>
    withThreeTokens(async (ask) => {
      for (let count = 0; count < 6; count += 1) expect((await ask('/validate-token', TOKEN)).statusCode).toBe(200);
      expect((await ask('/validate-token', badToken(1))).statusCode).toBe(200);
      expect((await ask('/jobs/create', badToken(2))).statusCode).toBe(422);
      for (const url of ['/validate-token', '/plan', '/jobs/create']) {
        const refused = await ask(url, badToken(3));
        expect(refused.statusCode).toBe(429);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
        expect((await ask(url, TOKEN)).statusCode).toBeLessThan(300);
      }
    }));

  it('counts requests about one token once, also parallel ones', () =>
    withThreeTokens(async (ask) => {
      const statuses = async (tokens: readonly string[]) =>
        (await Promise.all(tokens.map((token) => ask('/validate-token', token)))).map(({ statusCode }) => statusCode);
      expect(await statuses(Array(20).fill(badToken(1)))).toEqual(Array(20).fill(200));
      expect((await statuses([badToken(2), badToken(3), badToken(4)])).sort()).toEqual([200, 200, 429]);
      expect(await statuses([badToken(1), badToken(5)])).toEqual([200, 429]);
    }));
});

describe('POST /plan (design § 4a)', () => {
  it('sends wei and answers 200 with the plan', async () => {
    const response = await post('/plan', { tokenAddress: TOKEN, paymentAmount: 0.5 });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ depositWei: '500000000000000000', orders: { count: 625 }, warnings: [] });
    expect(services.requests[0]?.payload).toEqual({
      tokenAddress: TOKEN,
      paymentAmountWei: '500000000000000000',
      clientAddress: '127.0.0.1',
    });
  });

  it('makes eight concurrent plans per client, others keep theirs', async () => {
    services.silent = 'job.plan.make';
    const limited = await gateway.startAnother({ HTTP_TRUSTED_PROXIES: '127.0.0.1' });
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

  it('listens on IPv4 and IPv6, and trusts an IPv4 proxy', async () => {
    const listening = await gateway.startAnother({ HTTP_TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_REQUESTS: '30' });
    try {
      await listening.listen({
        port: 0,
        host: parseConfiguration(z.object(commonEnvironment), { OPS_PORT: '0' }).LISTEN_HOST,
      });
      const { port } = listening.getHttpServer().address() as AddressInfo;
      const ask = async (host: string) => {
        const headers = { 'x-api-key': KEY, 'x-forwarded-for': '203.0.113.9' };
        const { headers: answered } = await fetch(`http://${host}:${port}/stats`, { headers });
        return answered.get('x-ratelimit-remaining');
      };
      expect([await ask('127.0.0.1'), await ask('127.0.0.1'), await ask('[::1]')]).toEqual(['29', '28', '29']);
    } finally {
      await listening.close();
    }
  });

  it('passes on the message of a refused job', async () => {
    services.refusing = { subject: 'job.plan.make', code: 'NO_CAPACITY' };
    const response = await post('/plan', { tokenAddress: TOKEN, paymentAmount: 1000 });
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'NO_CAPACITY', message: 'not now', error: 'Conflict' });
    expect(response.headers['retry-after']).toBe('60');
    expect((await post('/plan', { tokenAddress: TOKEN, paymentAmount: -1 })).statusCode).toBe(400);
  });
});
