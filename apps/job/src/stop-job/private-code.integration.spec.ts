import { randomUUID } from 'node:crypto';
import {
  changeReturnAddress,
  executionCompleted,
  executionFailed,
  fundsReleased,
  getJobCreator,
  getJobPayment,
  getJobStatus,
  getJobTimeline,
  paymentReceived,
  stopJob,
} from '@maker/contracts';
import { stopCommitment } from '@maker/signing/commands';
import { describe, expect, it } from 'vitest';
import {
  CONTRACT_ADDRESS,
  completionFixture,
  ROUTER_ADDRESS,
  receivedFixture,
  stageForFile,
} from '../job-service.fixture.ts';

const stage = stageForFile();
const { create, deliver, eventTypes, rows } = stage;

describe('a job that its payer stops (design § 4)', () => {
  const stop = (jobId: string, stopSecret = '') => stage.client.request(stopJob, { jobId, stopSecret });

  it('ends orders, settles, and names who stopped', async () => {
    const { jobId, stopSecret } = await create();
    await deliver(paymentReceived, jobId, receivedFixture());
    const first = await stop(jobId, stopSecret);
    expect(first).toMatchObject({ status: 'active', outcome: expect.stringContaining('No more orders') });
    expect(await stop(jobId, stopSecret)).toEqual(first);
    const [requested, ...more] = await rows('outbox', { jobId, type: 'job.cancel_requested' });
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(more).toEqual([]);
    expect(activated?.data.terms.agreement.stopSecretHash).toBe(stopCommitment(requested?.data.stopProof));
    expect(JSON.stringify(requested)).not.toContain(stopSecret);
    expect((await stage.client.request(getJobStatus, { jobId })).stopRequestedAt).toBeDefined();
    const message = 'the job was cancelled';
    await deliver(executionFailed, jobId, { reason: 'cancelled', message, ordersPlaced: 3, returnedWei: '5' });
    const ended = { status: 'cancelled', failureReason: 'The payer stopped this job' };
    expect(await stage.client.request(getJobStatus, { jobId })).toMatchObject(ended);
    expect(await stop(jobId, stopSecret)).toMatchObject({ status: 'cancelled' });
  });

  it('keeps metadata, and says who created it', async () => {
    // No store on the way treats the name `constructor` in a special way.
    const metadata = { orderId: '1234', constructor: 'x' };
    const created = await create({ metadata, idempotencyKey: randomUUID() });
    expect(created.metadata).toEqual(metadata);
    const { jobId } = created;
    expect((await stage.client.request(getJobStatus, { jobId })).metadata).toEqual(metadata);
    expect(await stage.client.request(getJobPayment, { jobId })).not.toHaveProperty('metadata');
    expect(await stage.client.request(getJobCreator, { jobId })).toEqual({ apiKeyName: 'web', metadata });
    const unknown = await stage.client.request(getJobCreator, { jobId: `job_${'0'.repeat(32)}` });
    expect(unknown).toEqual({});
  });

  it('cancels immediately before payment and returns later money', async () => {
    const { jobId, stopSecret } = await create();
    expect(await stop(jobId, stopSecret)).toMatchObject({ status: 'cancelled' });
    await deliver(paymentReceived, jobId, receivedFixture());
    expect(await eventTypes(jobId)).toEqual(['deposit.return_due', 'job.created', 'job.status_changed']);
  });

  it('stores only hashes of the secret and its key', async () => {
    const idempotencyKey = randomUUID();
    const { jobId, stopSecret } = await create({ idempotencyKey });
    await deliver(paymentReceived, jobId, receivedFixture());
    const stored = JSON.stringify([await rows('jobs', { _id: jobId as never }), await rows('outbox', { jobId })]);
    for (const secret of ['stop_', idempotencyKey]) expect(stored).not.toContain(secret);
    expect(await stop(jobId, stopSecret)).toMatchObject({ status: 'active' });
  });

  it('rejects a wrong secret like an unknown job', async () => {
    const { jobId } = await create();
    const { stopSecret: another } = await create();
    const wrong = await stop(jobId, another).catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: 'FORBIDDEN', message: 'This secret does not stop this job' });
    expect(await stop(`job_${'0'.repeat(32)}`, another).catch((error: unknown) => error)).toEqual(wrong);
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({ status: 'pending_payment' });
  });
});

describe('a named return address', () => {
  const OWN = `0x${'b1'.repeat(20)}`;
  const change = (jobId: string, stopSecret = '', rest: object = { returnAddress: OWN }) =>
    stage.client.request(changeReturnAddress, { jobId, stopSecret, ...rest } as never);

  it('rejects an address that cannot return money', async () => {
    await expect(create({ returnAddress: ROUTER_ADDRESS })).rejects.toMatchObject({ code: 'RETURN_ADDRESS_REFUSED' });
    await expect(create({ returnAddress: `0x${'0'.repeat(36)}dEaD` })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('is a contract only if the payer confirms it', async () => {
    await expect(create({ returnAddress: CONTRACT_ADDRESS })).rejects.toMatchObject({
      code: 'RETURN_ADDRESS_IS_CONTRACT',
    });
    await expect(create({ returnAddress: CONTRACT_ADDRESS, returnAddressIsContract: true })).resolves.toBeDefined();
  });

  it('can be added by private code until payment', async () => {
    const { jobId, stopSecret } = await create();
    expect(await change(jobId, stopSecret)).toEqual({ returnAddress: OWN });
    await deliver(paymentReceived, jobId, receivedFixture());
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ returnAddress: OWN });
    await expect(change(jobId, stopSecret)).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
    const entries = await rows('audit_entries', { jobId, action: 'job.return_address_changed' });
    expect(entries).toMatchObject([{ details: { returnAddress: OWN } }]);
  });

  it('is recorded for an unknown payer until a release', async () => {
    const { jobId, stopSecret } = await create();
    await deliver(paymentReceived, jobId, receivedFixture({ kind: 'internal', from: undefined }));
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'active',
      payerUnknown: true,
    });
    expect(await change(jobId, stopSecret)).toEqual({ returnAddress: OWN, awaitsOperator: true });
    await expect(change(jobId, stopSecret, { returnAddress: ROUTER_ADDRESS })).rejects.toMatchObject({
      code: 'RETURN_ADDRESS_REFUSED',
    });
    const { job } = await stage.client.request(getJobTimeline, { jobId });
    expect(job).toMatchObject({ proposedReturnAddress: OWN, returnAddress: null });
    const entries = await rows('audit_entries', { jobId, action: 'job.return_address_proposed' });
    expect(entries).toMatchObject([{ details: { returnAddress: OWN } }]);
    await deliver(executionCompleted, jobId, { ...completionFixture, heldReason: 'no return address is known' });
    await deliver(fundsReleased, jobId, { to: OWN, amountWei: '5', returnIds: [] });
    const released = await stage.client.request(getJobPayment, { jobId });
    expect(released).not.toHaveProperty('payerUnknown');
    expect(released).not.toHaveProperty('proposedReturnAddress');
    await expect(change(jobId, stopSecret)).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
  });

  it('cannot change without the secret or to a dead end', async () => {
    const { jobId, stopSecret, paymentAddress } = await create();
    const refuses = (changed: Promise<unknown>, code: string) => expect(changed).rejects.toMatchObject({ code });
    await refuses(change(jobId, `stop_${'x'.repeat(32)}`), 'FORBIDDEN');
    await refuses(change(`job_${'0'.repeat(32)}`, stopSecret), 'FORBIDDEN');
    await refuses(change(jobId, stopSecret, { returnAddress: ROUTER_ADDRESS }), 'RETURN_ADDRESS_REFUSED');
    await refuses(change(jobId, stopSecret, { returnAddress: paymentAddress }), 'INVALID_REQUEST');
    await refuses(change(jobId, stopSecret, { returnAddress: CONTRACT_ADDRESS }), 'RETURN_ADDRESS_IS_CONTRACT');
    const known = { returnAddress: CONTRACT_ADDRESS, returnAddressIsContract: true };
    expect(await change(jobId, stopSecret, known)).toEqual({ returnAddress: CONTRACT_ADDRESS });
  });
});
