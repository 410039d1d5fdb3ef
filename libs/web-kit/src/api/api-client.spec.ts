import { describe, expect, it } from 'vitest';
import { ApiClient } from './api-client.ts';
import { getJobPayment } from './job-payment-call.ts';
import { followJob, getJobStatus } from './payment-calls.ts';
import { getReceiptFile } from './receipt-file-call.ts';
import { createJob, getHealth, validateToken } from './step-calls.ts';

interface Seen {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client whose requests are recorded and answered with `answer`. */
function clientAnswering(answer: () => Response): { client: ApiClient; seen: Seen[] } {
  const seen: Seen[] = [];
  const client = new ApiClient({
    baseUrl: 'http://api.test/',
    apiKey: 'the-key',
    fetch: async (url, init) => {
      seen.push({ url: String(url), init: init ?? {} });
      return answer();
    },
  });
  return { client, seen };
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const header = (request: Seen | undefined, name: string) => new Headers(request?.init.headers).get(name);

const created = {
  jobId: 'job_0123456789abcdef0123456789abcdef',
  paymentAddress: '0xAb',
  paymentAmount: 0.5,
  paymentAmountWei: '500000000000000000',
  paymentDeadline: '2026-01-01T00:15:00.000Z',
};

describe('API client', () => {
  it('sends JSON, API key and request id', async () => {
    const { client, seen } = clientAnswering(() => json({ jobs: { active: 2 } }));
    await client.getStats();
    await client.getStats();
    expect(seen[0]?.url).toBe('http://api.test/stats');
    expect(header(seen[0], 'Content-Type')).toBe('application/json');
    expect(header(seen[0], 'X-API-Key')).toBe('the-key');
    expect(header(seen[0], 'X-Request-Id')).toMatch(/^[0-9a-f]{32}$/);
    expect(header(seen[1], 'X-Request-Id')).not.toBe(header(seen[0], 'X-Request-Id'));
  });

  it('aborts with the caller in browsers without AbortSignal.any', async () => {
    const any = AbortSignal.any;
    Reflect.deleteProperty(AbortSignal, 'any');
    try {
      const { client, seen } = clientAnswering(() => json(created));
      const leaving = new AbortController();
      const options = { idempotencyKey: 'once', signal: leaving.signal };
      const result = await createJob(client, { tokenAddress: '0x1', paymentAmount: 0.5 }, options);
      expect(result.ok).toBe(true);
      expect(seen[0]?.init.signal?.aborted).toBe(false);
      leaving.abort();
      expect(seen[0]?.init.signal?.aborted).toBe(true);
    } finally {
      AbortSignal.any = any;
    }
  });

  it('calls the six endpoints by method and path', async () => {
    const { client, seen } = clientAnswering(() => json({}));
    await validateToken(client, '0x1');
    await createJob(client, { tokenAddress: '0x1', paymentAmount: 0.5 }, { idempotencyKey: 'once' });
    await getJobStatus(client, 'job_1');
    await getJobPayment(client, 'job_1');
    await client.getStats();
    await getHealth(client);
    expect(seen.map(({ url, init }) => `${init.method} ${new URL(url).pathname}`)).toEqual([
      'POST /validate-token',
      'POST /jobs/create',
      'GET /jobs/job_1/status',
      'GET /jobs/job_1/payment',
      'GET /stats',
      'GET /healthz',
    ]);
    expect(seen[0]?.init.body).toBe('{"tokenAddress":"0x1"}');
    expect(seen[1]?.init.body).toBe('{"tokenAddress":"0x1","paymentAmount":0.5}');
    expect(header(seen[1], 'Idempotency-Key')).toBe('once');
  });

  it('yields the data of a success (specification § 7)', async () => {
    const { client } = clientAnswering(() => json(created, 201));
    const result = await createJob(client, { tokenAddress: '0x1', paymentAmount: 0.5 }, { idempotencyKey: 'once' });
    expect(result).toEqual({ ok: true, data: created });
  });

  it('returns the error body otherwise (specification § 7)', async () => {
    const kind = { error: 'Not Found', message: 'There is no such job', statusCode: 404, code: 'JOB_UNKNOWN' };
    const body = { ...kind, requestId: 'a'.repeat(32) };
    const { client } = clientAnswering(() => json(body, 404));
    expect(await getJobPayment(client, 'job_1')).toEqual({ ok: false, error: body });
  });

  it("takes the server's message from any error", async () => {
    const { client } = clientAnswering(() => json({ message: 'Come back in a minute' }, 503));
    expect(await getJobPayment(client, 'job_1')).toMatchObject({
      ok: false,
      error: { message: 'Come back in a minute', statusCode: 503 },
    });
  });

  it.each([
    ['validation', { isValid: true, liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false } }],
    ['refusal', { isValid: false, errorMessage: 'No pool', liquidityStatus: null }],
    ['created job', { jobId: 'j', paymentAddress: '0x', paymentAmount: 1, paymentDeadline: '2026-01-01T00:00:00Z' }],
    ['payment', { status: 'active', paymentReceived: true }],
    ['stats', { jobs: { active: 0 }, latestJob: null }],
    ['stats of a job without a token', { jobs: { active: 0 }, latestJob: {} }],
  ])('requires only specified fields of a %s', async (kind, body) => {
    const { client } = clientAnswering(() => json(body));
    const answer = {
      validation: () => validateToken(client, '0x1'),
      refusal: () => validateToken(client, '0x1'),
      'created job': () => createJob(client, { tokenAddress: '0x1', paymentAmount: 1 }, { idempotencyKey: 'once' }),
      payment: () => getJobPayment(client, 'job_1'),
      stats: () => client.getStats(),
      'stats of a job without a token': () => client.getStats(),
    }[kind];
    expect(await answer?.()).toEqual({ ok: true, data: body });
  });

  it('leaves an unreadable error’s message empty', async () => {
    const { client } = clientAnswering(() => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }));
    expect(await validateToken(client, '0x1')).toEqual({
      ok: false,
      error: { error: 'Bad Gateway', message: '', statusCode: 502 },
    });
  });

  it("answers a network failure with 'Network error' (specification § 7)", async () => {
    const { client } = clientAnswering(() => {
      throw new TypeError('fetch failed');
    });
    expect(await client.getStats()).toEqual({
      ok: false,
      error: { error: 'Network error', message: 'Failed to connect to the API server' },
    });
  });

  it('gives up when the caller does', async () => {
    const client = new ApiClient({
      baseUrl: 'http://api.test',
      apiKey: 'the-key',
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          if (init?.signal?.aborted) reject(new Error('aborted'));
        }),
    });
    const controller = new AbortController();
    const pending = client.getStats({ signal: controller.signal });
    controller.abort();
    expect((await pending).ok).toBe(false);
  });

  it('rejects a success with a wrong body', async () => {
    const { client } = clientAnswering(() => json({ ...created, paymentAmountWei: 0.5 }));
    const result = await createJob(client, { tokenAddress: '0x1', paymentAmount: 0.5 }, { idempotencyKey: 'once' });
    expect(result).toMatchObject({ ok: false, error: { error: 'Unexpected answer' } });
  });

  it('hands over the receipt as it came, or the error', async () => {
    const found = clientAnswering(() => new Response('kind,number\r\n'));
    expect(await getReceiptFile(found.client, 'job_1', 'receipt.csv')).toEqual({ ok: true, data: 'kind,number\r\n' });
    expect(found.seen[0]?.url).toBe('http://api.test/jobs/job_1/receipt.csv');
    expect(header(found.seen[0], 'X-API-Key')).toBe('the-key');

    const missing = clientAnswering(() => json({ error: 'Not Found', message: 'Job not found' }, 404));
    expect(await getReceiptFile(missing.client, 'job_1', 'receipt.csv')).toMatchObject({
      ok: false,
      error: { message: 'Job not found' },
    });
  });

  it.each([
    ['is refused', () => json({ error: 'Too Many Requests', message: 'Too many' }, 429)],
    ['cannot be opened', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['sends something other than a status', () => new Response('event: status\ndata: {"status":1}\n\n')],
  ])('ends quietly when the live channel %s (design § 8)', async (_, answer) => {
    const client = new ApiClient({ baseUrl: 'http://api.test', apiKey: 'the-key', fetch: async () => answer() });
    const seen = [];
    for await (const status of followJob(client, 'job_1', new AbortController().signal)) seen.push(status);
    expect(seen).toEqual([]);
  });

  it('follows a job through the live channel (design § 8)', async () => {
    const status = {
      ...created,
      status: 'active',
      paymentReceived: true,
      receivedWei: '500000000000000000',
      lateWei: '0',
      flags: { underpaid: false, overpaid: false, late: false },
      tokenAddress: '0x1',
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const { client, seen } = clientAnswering(() => new Response(`event: status\ndata: ${JSON.stringify(status)}\n\n`));
    const followed = [];
    for await (const each of followJob(client, 'job_1', new AbortController().signal)) followed.push(each);
    expect(followed).toEqual([status]);
    expect(seen[0]?.url).toBe('http://api.test/jobs/job_1/events');
    expect(header(seen[0], 'X-API-Key')).toBe('the-key');
  });
});
