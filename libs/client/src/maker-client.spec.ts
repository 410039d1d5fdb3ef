import { describe, expect, it } from 'vitest';
import { MakerClient } from './maker-client.ts';
import { MakerError } from './maker-error.ts';

const KEY = '8c1b5f0e-3f0d-4c0a-9f5e-2f1f6f0c9a11';
const JOB_ID = `job_${'a'.repeat(32)}`;
const TOKEN = `0x${'1'.repeat(40)}`;

/** A client that records its requests, and gets each answer from `answer`. */
function clientAnswering(answer: () => Response | Promise<Response>) {
  const requests: { url: string; init: RequestInit | undefined }[] = [];
  const client = new MakerClient({
    apiUrl: 'https://api.test/',
    apiKey: 'the-key',
    fetch: async (url, init) => {
      requests.push({ url: String(url), init });
      return answer();
    },
  });
  return { client, requests };
}

const json = (body: unknown, status = 200, headers = {}) => Response.json(body, { status, headers });

/** The error of a call that fails. */
const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);

describe('a call', () => {
  const calls: [string, string, string, (client: MakerClient) => Promise<unknown>][] = [
    ['validateToken', 'POST', '/validate-token', (client) => client.validateToken(TOKEN)],
    ['plan', 'POST', '/plan', (client) => client.plan({ tokenAddress: TOKEN, paymentAmount: 1 })],
    ['createJob', 'POST', '/jobs/create', (client) => client.createJob({ tokenAddress: TOKEN, paymentAmount: 1 })],
    ['job', 'GET', `/jobs/${JOB_ID}/status`, (client) => client.job(JOB_ID)],
  ];

  it.each(calls)('%s sends %s %s with the key', async (_, method, path, call) => {
    const { client, requests } = clientAnswering(() => json({ fine: true }));
    expect(await call(client)).toEqual({ fine: true });
    expect(requests).toMatchObject([
      { url: `https://api.test${path}`, init: { method, headers: { 'x-api-key': 'the-key' } } },
    ]);
  });

  it('sends metadata and the idempotency key of a creation', async () => {
    const { client, requests } = clientAnswering(() => json({}, 201));
    const job = { tokenAddress: TOKEN, paymentAmount: 1, metadata: { orderId: '1' } };
    await client.createJob(job, { idempotencyKey: KEY });
    expect(requests[0]?.init?.headers).toMatchObject({
      'idempotency-key': KEY,
      'content-type': 'application/json',
    });
    expect(JSON.parse(String(requests[0]?.init?.body))).toEqual(job);
  });

  it('keeps a job id inside its path', async () => {
    const { client, requests } = clientAnswering(() => json({}));
    await client.job('../../operator/jobs');
    expect(requests[0]?.url).toBe('https://api.test/jobs/..%2F..%2Foperator%2Fjobs/status');
  });
});

describe('a failed call', () => {
  it('has code, status, request id and the time to wait', async () => {
    const body = {
      message: 'Too many requests',
      error: 'Too Many Requests',
      statusCode: 429,
      code: 'TOO_MANY_REQUESTS',
    };
    const { client } = clientAnswering(() => json({ ...body, requestId: 'r-1' }, 429, { 'retry-after': '7' }));
    const error = await failure(client.job(JOB_ID));
    expect(error).toBeInstanceOf(MakerError);
    expect(error).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: 'Too many requests',
      status: 429,
      requestId: 'r-1',
      retryAfterMs: 7000,
      isTemporary: true,
    });
  });

  it('is not temporary if the request is wrong', async () => {
    const { client } = clientAnswering(() => json({ code: 'TOKEN_NOT_TRADABLE', message: 'no' }, 422));
    const error = await failure(client.validateToken(TOKEN));
    expect(error).toMatchObject({ code: 'TOKEN_NOT_TRADABLE', isTemporary: false, retryAfterMs: undefined });
  });

  it('is temporary for a newer code of a busy service', async () => {
    const { client } = clientAnswering(() => json({ code: 'PRICE_UNCONFIRMED', message: 'later' }, 503));
    expect(await failure(client.validateToken(TOKEN))).toMatchObject({ code: 'PRICE_UNCONFIRMED', isTemporary: true });
  });

  it('is UNREACHABLE without an answer, with the cause', async () => {
    const cause = new TypeError('fetch failed');
    const { client } = clientAnswering(() => Promise.reject(cause));
    expect(await failure(client.job(JOB_ID))).toMatchObject({ code: 'UNREACHABLE', cause, isTemporary: true });
  });

  it.each([[502], [200]])('is UNREADABLE_ANSWER if another program answers %d', async (status) => {
    const { client } = clientAnswering(() => new Response('<html>', { status }));
    expect(await failure(client.job(JOB_ID))).toMatchObject({ code: 'UNREADABLE_ANSWER', status });
  });

  it('ends with the reason of your signal', async () => {
    const reason = new Error('left');
    const { client } = clientAnswering(() => Promise.reject(reason));
    expect(await failure(client.job(JOB_ID, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });
});
