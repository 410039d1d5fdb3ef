import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { errorBodySchema } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { gatewayForFile, TOKEN, UNKNOWN_JOB } from '../gateway-stage.fixture.ts';
import { BAD_TOKEN, JOB_ID } from '../service-answers.fixture.ts';
import { services } from '../services.fixture.ts';

const gateway = gatewayForFile();
const { call, metrics, post } = gateway;

describe('errors', () => {
  const create = (body: object, headers = {}) => post('/jobs/create', body, headers);
  const raw = (payload: string, contentType: string) =>
    call('POST', '/validate-token', { payload, headers: { 'content-type': contentType } });
  const good = { tokenAddress: TOKEN, paymentAmount: 0.5 };
  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, one) => [`key${one}`, 'x']));

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
    ['an amount finer than a wei', 400, 'INVALID_REQUEST', () => create({ ...good, paymentAmount: 1e-19 })],
    ['a POST with a query', 400, 'INVALID_REQUEST', () => post('/jobs/create?returnAddress=me', good)],
    [
      'a method that a route lacks',
      405,
      'METHOD_NOT_ALLOWED',
      () => gateway.app.inject({ method: 'DELETE', url: '/stats' }),
    ],
    [
      'a method of other protocols',
      405,
      'METHOD_NOT_ALLOWED',
      () => gateway.app.inject({ method: 'TRACE', url: '/stats' }),
    ],
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

  it.each<[body: object, message: string]>([
    [{ tokenAddress: TOKEN }, 'paymentAmount'],
    [{ ...good, paymentAmount: -1 }, "paymentAmount: '-1' is not an amount in HYPE"],
    [{ ...good, paymentAmount: 0.1234567891 }, "paymentAmount: '0.1234567891' is not an amount in HYPE"],
    [{ ...good, paymentAmount: 1e21 }, "paymentAmount: '1e+21' is not an amount in HYPE"],
    [{ ...good, paymentAmount: 0 }, 'paymentAmount: must be more than 0'],
    [{ ...good, paymentAmount: null }, 'paymentAmount: must be a number in HYPE'],
    ...['', ' 0.5', '0,5', '1,000', '1e1', '0x1', '-1', '+1', 'NaN', '.5', '1.', '0.5 HYPE', `0.${'1'.repeat(19)}`].map(
      (paymentAmount): [object, string] => [{ ...good, paymentAmount }, 'paymentAmount: must be a number in HYPE'],
    ),
    [{ ...good, retrunAddress: TOKEN }, "unknown field 'retrunAddress'; did you mean 'returnAddress'?"],
    [{ ...good, return_address: TOKEN }, "unknown field 'return_address'; did you mean 'returnAddress'?"],
    [{ ...good, note: 'x' }, "unknown field 'note'; known: tokenAddress, paymentAmount"],
    [{ ...good, [`key-${'0'.repeat(30)}`]: 'x' }, 'unknown field; known: tokenAddress'],
    [{ ...good, tokenAddress: `0x${'z'.repeat(40)}` }, 'tokenAddress: must be 0x followed by 40 hexadecimal digits'],
    [{ ...good, returnAddress: 'me' }, 'returnAddress'],
    [{ ...good, returnAddress: `0x${'22'.repeat(20)}` }, 'returnAddress: This address has no owner'],
    [{ ...good, metadata: 'order 7' }, 'metadata: must be an object of strings'],
    [{ ...good, metadata: { orderId: 7 } }, 'metadata.orderId: must be a string'],
    [{ ...good, metadata: { $where: 'x' } }, 'metadata.$where: must be named by a letter'],
    [{ ...good, metadata: { note: 'x'.repeat(501) } }, 'metadata.note: must have at most 500 characters'],
    [{ ...good, metadata: entries(21) }, 'metadata: must have at most 20 entries'],
    [[], 'body'],
  ])('names the field that is wrong in %j', async (body, message) => {
    const response = await create(body);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toContain(message);
    expect(services.requests).toEqual([]);
  });

  it('ignores a poisoned prototype', async () => {
    const poison = `{"__proto__":{"tokenAddress":"${TOKEN}"},"constructor":{"prototype":{"tokenAddress":"${TOKEN}"}}}`;
    expect((await raw(poison, 'application/json')).statusCode).toBe(400);
    const response = await raw(`{"tokenAddress":"${TOKEN}","__proto__":{"a":1}}`, 'application/json');
    expect(response.statusCode).toBe(200);
    expect(services.requests[0]?.payload).toEqual({ tokenAddress: TOKEN, clientAddress: '127.0.0.1' });
  });

  it('names the methods of a route', async () => {
    expect((await gateway.app.inject({ method: 'PUT', url: '/stats?a=1' })).headers.allow).toBe('GET, HEAD');
    expect((await gateway.app.inject({ method: 'GET', url: '/jobs/create' })).headers.allow).toBe('POST');
    expect((await call('HEAD', '/stats')).statusCode).toBe(200);
    // A stream has no HEAD, because its answer does not end.
    expect((await call('HEAD', `/jobs/${JOB_ID}/events`)).statusCode).toBe(405);
  });

  it.each([
    ['is not HTTP', 'GET /stats\r\nnonsense\r\n\r\n'],
    ['has endless headers', `GET /stats HTTP/1.1\r\nhost: api\r\nx-api-key: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('answers a request that %s with the error body', async (_, bytes) => {
    const { hostname, port } = new URL(gateway.baseUrl);
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
    await gateway.stopServices();
    try {
      const ask = async () => (await post('/validate-token', { tokenAddress: TOKEN })).json();
      // The broker may accept a request before it notices the closed connection of the services; that request times out.
      await expect.poll(ask, { timeout: 20_000 }).toMatchObject({ statusCode: 503, code: 'SERVICE_UNAVAILABLE' });
    } finally {
      await gateway.startServices();
    }
  });
});

describe('every answer', () => {
  it('sends security headers and caches only landing figures', async () => {
    const [stats, payment] = [await call('GET', '/stats'), await call('GET', `/jobs/${JOB_ID}/payment`)];
    expect(stats.headers['cache-control']).toBe('public, max-age=0, s-maxage=5');
    for (const response of [payment, await call('GET', '/nothing'), await gateway.app.inject('/stats')]) {
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
    expect(services.requests[0]?.requestId).toBe(requestId);
    expect(gateway.logLines.some((line) => JSON.parse(line).requestId === requestId)).toBe(true);
  });

  it('is counted by its route template', async () => {
    await call('GET', `/jobs/${JOB_ID}/payment`);
    await call('GET', '/some/path/without-route');
    const text = await metrics();
    expect(text).toContain('maker_http_requests_total{method="GET",route="/jobs/:jobId/payment",status="200"}');
    expect(text).toContain('maker_http_requests_total{method="GET",route="unmatched",status="404"}');
    expect(text).toContain('maker_nats_requests_total{subject="job.payment.get",outcome="answered"}');
    expect(text).not.toContain(JOB_ID);
    expect(text).not.toContain('without-route');
    expect(text).not.toContain('maker_http_request_duration_seconds_count{method="GET",route="/jobs/:jobId/events"}');
  });
});
