import type { ErrorBody } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';

const own = ownStackForFile();

describe('the error body { message, error, statusCode } (specification § 3)', () => {
  const UNKNOWN_JOB = `job_${'0'.repeat(32)}`;

  it.each([
    ['no key', {}, 401],
    ['a wrong key', { 'x-api-key': 'wrong' }, 401],
  ])('answers %s with 401', async (_what, headers, status) => {
    const response = await fetch(`${own.product.stack.apiUrl}/stats`, { headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      statusCode: 401,
      error: 'Unauthorized',
      message: expect.any(String),
    });
  });

  it('leaves /healthz open', async () => {
    const response = await fetch(`${own.product.stack.apiUrl}/healthz`);
    expect(response.status).toBe(200);
  });

  it.each([
    ['an unknown job', 'GET', `/jobs/${UNKNOWN_JOB}/payment`, undefined, 404],
    ['an unknown job', 'GET', `/jobs/${UNKNOWN_JOB}/status`, undefined, 404],
    ['an unknown route', 'GET', '/nowhere', undefined, 404],
    ['a malformed address', 'POST', '/validate-token', { tokenAddress: '0x12' }, 400],
    ['a body that is no JSON', 'POST', '/validate-token', '{', 400],
    ['a negative amount', 'POST', '/jobs/create', { tokenAddress: `0x${'1'.repeat(40)}`, paymentAmount: -1 }, 400],
  ] as const)('answers %s (%s %s)', async (_what, method, path, body, status) => {
    const answer = await own.product.call<ErrorBody>(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ statusCode: status, error: expect.any(String), message: expect.any(String) });
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  it.each([0.2, 1000.1])('rejects a budget of %d HYPE', async (paymentAmount) => {
    const body = { tokenAddress: own.product.stack.tokens.both, paymentAmount };
    const answer = await own.product.call<ErrorBody>('POST', '/jobs/create', body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'AMOUNT_OUT_OF_RANGE' } });
  });

  it('takes no money for a token that cannot be traded', async () => {
    const body = { tokenAddress: own.product.stack.tokens.honeypot, paymentAmount: 0.5 };
    const answer = await own.product.call<ErrorBody>('POST', '/jobs/create', body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'TOKEN_NOT_TRADABLE' } });
  });

  it('answers a repeated idempotency key, rejects another body', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { tokenAddress: own.product.stack.tokens.both, paymentAmount: 0.5 };
    const first = await own.product.call<{ stopSecret: string }>('POST', '/jobs/create', body, headers);
    const again = await own.product.call<{ stopSecret: string }>('POST', '/jobs/create', body, headers);
    // Each answer has a secret of its own: none is stored.
    expect({ ...again.body, stopSecret: first.body.stopSecret }).toEqual(first.body);
    expect(again.body.stopSecret).not.toBe(first.body.stopSecret);
    const other = await own.product.call<ErrorBody>('POST', '/jobs/create', { ...body, paymentAmount: 1 }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });
});
