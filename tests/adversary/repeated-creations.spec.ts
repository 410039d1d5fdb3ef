import { randomBytes, randomUUID } from 'node:crypto';
import type { CreateJobResponse } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';

const stack = ownStackForFile(20);

type Created = CreateJobResponse & { readonly message?: string };

const THIEF = `0x${'b1'.repeat(20)}`;

/** A creation as a shop sends it, or a stranger who has its API key. */
function create(idempotencyKey: string, apiKey = stack.running.stack.apiKey) {
  const body = { tokenAddress: stack.running.stack.tokens.both, paymentAmount: 0.25 };
  const headers = { 'x-api-key': apiKey, 'idempotency-key': idempotencyKey };
  return stack.product.call<Created>('POST', '/jobs/create', body, headers);
}

const stop = (jobId: string, stopSecret?: string) =>
  stack.product.call<object>('POST', `/jobs/${jobId}/stop`, { stopSecret });

describe('a stranger who repeats order 1234 of a shop', { timeout: 60_000 }, () => {
  it('is refused with the public API key', async () => {
    const { status, body } = await create('order-1234');
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'idempotency-key: others can guess it; use a new UUID v4 for each job',
    });
  });

  it('gets the job without its secret by a server’s key', async () => {
    const { operatorApiKey } = stack.running.stack;
    const { body: own } = await create('order-1234', operatorApiKey);
    for (let repeat = 0; repeat < 6; repeat++) {
      const { body: stolen } = await create('order-1234', operatorApiKey);
      expect(stolen).toMatchObject({ jobId: own.jobId });
      expect(stolen).not.toHaveProperty('stopSecret');
    }
    const stopSecret = `stop_${randomBytes(24).toString('base64url')}`;
    const path = `/jobs/${own.jobId}/return-address`;
    const { status } = await stack.product.call('POST', path, { returnAddress: THIEF, stopSecret });
    expect(status).toBe(403);
    expect((await stop(own.jobId, own.stopSecret)).status).toBe(200);
  });
});

it('repeats the first answer to an unguessable key exactly', async () => {
  const key = randomUUID();
  const { body: first } = await create(key);
  expect(first.stopSecret).toMatch(/^stop_/);
  const answers = await Promise.all([create(key), create(key)]);
  await stop(first.jobId, first.stopSecret);
  for (const { body } of [...answers, await create(key)]) expect(JSON.stringify(body)).toBe(JSON.stringify(first));
});
