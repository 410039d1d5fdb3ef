import { randomBytes, randomUUID } from 'node:crypto';
import { changeReturnAddress, paymentReceived, stopJob } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { hashStopSecret } from '../job/stop-secret.ts';
import { receivedFixture, stageForFile } from '../job-service.fixture.ts';
import { marketFixture } from '../plan/market.fixture.ts';

const stage = stageForFile();
const { create, deliver } = stage;

const THIEF = `0x${'b1'.repeat(20)}`;

const stop = (jobId: string, stopSecret = '') => stage.client.request(stopJob, { jobId, stopSecret });

describe('a stranger with the same API key (docs/adr/0144)', () => {
  it('gets no secret for a repeated order number', async () => {
    const order = { idempotencyKey: 'order-1234' };
    const { jobId, stopSecret } = await create(order);
    for (let repeat = 0; repeat < 6; repeat++) {
      const stolen = await create(order);
      expect(stolen).toMatchObject({ jobId });
      expect(stolen).not.toHaveProperty('stopSecret');
    }
    const name = { jobId, returnAddress: THIEF, stopSecret: `stop_${randomBytes(24).toString('base64url')}` };
    await expect(stage.client.request(changeReturnAddress, name as never)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await stop(jobId, stopSecret)).toMatchObject({ status: 'cancelled' });
  });

  it('gets no secret by the hash of a key', async () => {
    const idempotencyKey = randomUUID();
    const { jobId } = await create({ idempotencyKey });
    const [row] = await stage.rows('jobs', { _id: jobId as never });
    const repeated = await create({ idempotencyKey: row?.idempotency.keyHash });
    expect(repeated.jobId).not.toBe(jobId);
  });
});

describe('a repeated creation with an unguessable key', () => {
  /** The body that the gateway sends. */
  const answer = async (request: Parameters<typeof create>[0]) => {
    const { replayed: _, ...body } = await create(request);
    return JSON.stringify(body);
  };

  it('gets the first answer byte for byte in each status', async () => {
    const request = { idempotencyKey: randomUUID(), metadata: { zebra: '1', apple: '2', constructor: 'x' } };
    const first = await answer(request);
    const { jobId, stopSecret } = JSON.parse(first);
    expect(await answer(request)).toBe(first);
    // The plan of the payment differs from the offered one.
    stage.validation.market = { ...marketFixture(), gasPriceWei: '7' };
    await deliver(paymentReceived, jobId, receivedFixture({ amountWei: parseHype('0.7').toString() }));
    expect(await answer(request)).toBe(first);
    await stop(jobId, stopSecret);
    expect(await answer(request)).toBe(first);
  });

  it('gets the first answer of an unpaid job that ended', async () => {
    const request = { idempotencyKey: randomUUID(), metadata: {} };
    const first = await answer(request);
    await stop(JSON.parse(first).jobId, JSON.parse(first).stopSecret);
    expect(await answer(request)).toBe(first);
  });

  it('gets one answer as 20 concurrent twins', async () => {
    const request = { idempotencyKey: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(request)));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('stop_');
  });
});

describe('a client that keeps its secret', () => {
  const secret = `stop_${randomBytes(24).toString('base64url')}`;
  const stopSecretHash = hashStopSecret(secret);

  it('gets no secret and stops the job', async () => {
    const request = { idempotencyKey: randomUUID(), stopSecretHash };
    const first = await create(request);
    expect(first).not.toHaveProperty('stopSecret');
    expect(await create(request)).toEqual({ ...first, replayed: true });
    expect(await stop(first.jobId, secret)).toMatchObject({ status: 'cancelled' });
  });

  it('is refused a known key with another hash', async () => {
    const idempotencyKey = randomUUID();
    await create({ idempotencyKey, stopSecretHash });
    for (const other of [{}, { stopSecretHash: 'ab'.repeat(32) }]) {
      await expect(create({ idempotencyKey, ...other })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    }
  });
});
