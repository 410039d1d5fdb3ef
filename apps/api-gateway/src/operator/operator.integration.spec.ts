import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorBodySchema, OPERATOR_ENDPOINTS } from '@maker/contracts';
import { type NatsPart, startNats } from '@maker/local-stack';
import type { INestMicroservice } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGateway, writeApiKeys } from '../gateway.fixture.ts';
import { JOB_ID } from '../service-answers.fixture.ts';
import { services } from '../services.fixture.ts';
import { startServices } from '../start-services.fixture.ts';

const PUBLIC_KEY = 'a-key-that-every-browser-sends';
const OPERATOR_KEY = 'a-key-that-only-operators-know';
const TOKEN = `0x${'1'.repeat(40)}`;
const UNKNOWN_JOB = `job_${'0'.repeat(32)}`;
const reason = 'the customer asked for it';

let broker: NatsPart;
let fakes: INestMicroservice;
let folder: string;
let app: NestFastifyApplication;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-operators-'));
  const keysFile = writeApiKeys(folder, [
    { key: PUBLIC_KEY, name: 'web', scopes: ['public'] },
    { key: OPERATOR_KEY, name: 'anna', scopes: ['public', 'operator'] },
  ]);
  broker = await startNats();
  fakes = await startServices(broker.url);
  app = await createGateway({ NATS_URL: broker.url, API_KEYS_FILE: keysFile }, undefined, 1000);
  await app.listen(0, '127.0.0.1');
});

afterAll(async () => {
  await app?.close();
  await fakes?.close();
  await broker?.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => services.reset());

const call = (key: string, method: 'GET' | 'POST', url: string, payload?: object) =>
  app.inject({ method, url, ...(payload && { payload }), headers: { 'x-api-key': key } });

const get = (url: string) => call(OPERATOR_KEY, 'GET', url);
const post = (url: string, payload: object) => call(OPERATOR_KEY, 'POST', url, payload);

/** A command as an operator's tool sends it. Its signature is invalid, which the gateway does not check. */
function signed(jobId = JOB_ID) {
  const nonce = '0f5c2f4e-8f1e-4f8e-9d8e-3b0c3a1f2d4e';
  const expiresAt = '2030-01-01T00:00:00.000Z';
  const text = { action: 'release', chainId: 999, jobId, amountWei: '7', to: TOKEN, reason, nonce, expiresAt };
  return { text: JSON.stringify(text), signatures: [{ operator: 'anna', signature: 'A'.repeat(86) }] };
}

describe('access', () => {
  it.each(Object.values(OPERATOR_ENDPOINTS).map(({ method, path }) => [method, path] as const))(
    '%s %s: a public key gets 403',
    async (method, path) => {
      const url = path.replace('{jobId}', JOB_ID);
      const response = await call(PUBLIC_KEY, method as 'GET', url, method === 'POST' ? { reason } : undefined);
      expect(response.statusCode).toBe(403);
      expect(errorBodySchema.parse(response.json()).code).toBe('FORBIDDEN');
      expect(services.requests).toEqual([]);
    },
  );
});

describe('a command', () => {
  const ofJob = { jobId: JOB_ID };
  it.each([
    ['pause', `/operator/jobs/${JOB_ID}/pause`, 'maker-executor.pause.set', { ...ofJob, operator: 'anna' }],
    ['rebroadcast', `/operator/jobs/${JOB_ID}/rebroadcast`, 'maker-executor.rebroadcast', ofJob],
    ['pause_all', '/operator/pause', 'maker-executor.pause.set', { operator: 'anna' }],
  ])('records operator and reason of %s, before and after', async (action, path, subject, payload) => {
    const response = await post(path, { reason });
    expect(response.statusCode).toBe(200);
    const written = 'job.operator_action.record';
    expect(services.requests.map((request) => request.subject)).toEqual([written, subject, written]);
    expect(services.requests[1]?.payload).toEqual(payload);
    const { actionId, outcome } = response.json();
    expect(services.actions).toMatchObject([
      { actionId, kind: 'ordered', action, operator: 'anna', reason },
      { actionId, kind: 'done', action, operator: 'anna', reason, outcome },
    ]);
  });

  it('forwards a signed command unchanged and records it twice', async () => {
    const response = await post('/operator/commands', signed());
    expect(response.statusCode).toBe(200);
    const written = 'job.operator_action.record';
    expect(services.requests.map((request) => request.subject)).toEqual([
      written,
      'maker-executor.command.carry_out',
      written,
    ]);
    expect(services.requests[1]?.payload).toEqual(signed());
    expect(services.actions).toMatchObject([
      { kind: 'ordered', action: 'release', jobId: JOB_ID, to: TOKEN, reason, operator: 'anna' },
      { kind: 'done', action: 'release', outcome: 'carried out' },
    ]);
  });

  it.each([
    ['without a signature', { signatures: [] }],
    ['without a command in its text', { text: '{}' }],
    ['with a long text', { text: 'x'.repeat(3000) }],
  ])('is rejected %s, before any request', async (_, change) => {
    expect((await post('/operator/commands', { ...signed(), ...change })).statusCode).toBe(400);
    expect(services.requests).toEqual([]);
  });

  it('needs a reason', async () => {
    for (const payload of [{}, { reason: '  ' }, { reason: 5 }]) {
      expect((await post('/operator/pause', payload)).statusCode).toBe(400);
    }
    expect(services.requests).toEqual([]);
  });

  it('answers 409 and logs an impossible command', async () => {
    services.refusing = { subject: 'maker-executor.command.carry_out', code: 'NOT_POSSIBLE_NOW' };
    const response = await post('/operator/commands', signed());
    expect(response.statusCode).toBe(409);
    expect(errorBodySchema.parse(response.json()).code).toBe('NOT_POSSIBLE_NOW');
    expect(services.actions.map(({ kind }) => kind)).toEqual(['ordered', 'refused']);
  });

  it('does not run a command that cannot be recorded', async () => {
    services.silent = 'job.operator_action.record';
    expect((await post('/operator/pause', { reason })).statusCode).toBe(504);
    expect(services.countOf('maker-executor.pause.set')).toBe(0);
    services.silent = undefined;
    expect((await post('/operator/commands', signed(UNKNOWN_JOB))).statusCode).toBe(404);
    expect(services.countOf('maker-executor.command.carry_out')).toBe(0);
  });
});

describe('webhooks', () => {
  const eventId = '0f5c2f4e-8f1e-4f8e-9d8e-3b0c3a1f2d4e';

  it('are sent again for a recorded reason', async () => {
    const response = await post('/operator/webhooks/redeliver', { endpoint: 'shop', eventId, reason });
    expect(response.json().outcome).toBe('1 message to shop will be sent again');
    expect(services.requests[1]?.payload).toEqual({ endpoint: 'shop', eventId });
    expect(services.actions.map(({ kind, action }) => [kind, action])).toEqual([
      ['ordered', 'redeliver_webhooks'],
      ['done', 'redeliver_webhooks'],
    ]);
  });

  it.each([
    ['neither a message nor a time', { endpoint: 'shop', reason }],
    ['both', { endpoint: 'shop', eventId, since: '2026-01-01T00:00:00.000Z', reason }],
    ['no reason', { endpoint: 'shop', eventId }],
  ])('are not sent again with %s', async (_, body) => {
    expect((await post('/operator/webhooks/redeliver', body)).statusCode).toBe(400);
    expect(services.requests).toEqual([]);
  });

  it('list endpoints unlogged and their deliveries logged', async () => {
    expect((await get('/operator/webhooks')).json().endpoints).toMatchObject([{ name: 'shop' }]);
    expect(services.actions).toEqual([]);
    const path = `/operator/webhooks/deliveries?endpoint=shop&jobId=${JOB_ID}&reason=a%20test`;
    expect((await get(path)).json()).toEqual({ deliveries: [] });
    expect(services.requests.at(-1)?.payload).toEqual({ endpoint: 'shop', jobId: JOB_ID, limit: 20 });
    expect(services.actions).toMatchObject([
      { kind: 'looked_up', action: 'webhooks', jobId: JOB_ID, reason: 'a test' },
    ]);
  });
});

describe('a query', () => {
  it('returns jobs, timelines, comparison of ledger and log', async () => {
    expect((await get('/operator/jobs?status=active&limit=5')).json().jobs).toHaveLength(1);
    expect(services.requests[1]?.payload).toEqual({ status: 'active', limit: 5 });
    expect((await get(`/operator/jobs/${JOB_ID}`)).json()).toMatchObject({
      job: { jobId: JOB_ID, walletIndex: 7 },
      timeline: [{ action: 'job.created' }],
    });
    expect((await get(`/operator/jobs/${JOB_ID}/reconciliation`)).json()).toMatchObject({
      verdict: 'equal',
      walletAddress: services.payment.paymentAddress,
    });
    expect((await get(`/operator/jobs/${UNKNOWN_JOB}`)).statusCode).toBe(404);
  });

  it('records each disclosure before it, except log reads', async () => {
    await get('/operator/jobs?reason=daily%20check');
    await get(`/operator/jobs/${JOB_ID}`);
    await get(`/operator/jobs/${JOB_ID}/reconciliation`);
    await get('/operator/jobs.csv?reason=for%20the%20accountant');
    await get(`/operator/jobs/${JOB_ID}/ledger.csv?reason=for%20the%20accountant`);
    expect((await get('/operator/actions')).json().actions).toMatchObject([
      { kind: 'looked_up', action: 'list', operator: 'anna', reason: 'daily check' },
      { kind: 'looked_up', action: 'show', operator: 'anna', jobId: JOB_ID },
      { kind: 'looked_up', action: 'reconcile', operator: 'anna', jobId: JOB_ID },
      { kind: 'looked_up', action: 'export', operator: 'anna', reason: 'for the accountant' },
      { kind: 'looked_up', action: 'export', operator: 'anna', reason: 'for the accountant', jobId: JOB_ID },
    ]);
    services.reset();
    services.silent = 'job.operator_action.record';
    expect((await get(`/operator/jobs/${JOB_ID}`)).statusCode).toBe(504);
    expect(services.countOf('job.timeline.get')).toBe(0);
  });

  it('needs a reason for an export', async () => {
    for (const url of ['/operator/jobs.csv', `/operator/jobs/${JOB_ID}/ledger.csv?reason=%20`]) {
      expect((await get(url)).statusCode).toBe(400);
    }
    expect(services.requests).toEqual([]);
  });

  it('exports all jobs and one ledger as CSV', async () => {
    const jobs = await get('/operator/jobs.csv?reason=a%20test');
    expect(jobs.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(jobs.body.trim().split('\r\n')).toHaveLength(2);
    const ledger = await get(`/operator/jobs/${JOB_ID}/ledger.csv?reason=a%20test`);
    expect(ledger.body.trim().split('\r\n')).toHaveLength(1 + 501);
  });
});
