import { executionCancelCommanded, getJobPayment, paymentDeadlinePassed, paymentReceived } from '@maker/contracts';
import { transactionsOf } from '@maker/messaging/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { JobsRepository } from '../job/jobs.repository.ts';
import { type JobStage, PAYMENT_WEI, receivedFixture, startJobStage } from '../job-service.fixture.ts';

const RUN_MS = 120_000;
/** Most commands of a transaction, for any number of deposits. */
const MOST_COMMANDS = 30;

let stage: JobStage;

beforeAll(async () => {
  stage = await startJobStage();
});

afterAll(() => stage?.stop());

const senderOf = (index: number) => `0x${index.toString(16).padStart(40, '5')}`;

/** A job that received dust from strangers, 1 wei each. */
async function dustedJob(count: number, from: (index: number) => string): Promise<string> {
  const { jobId } = await stage.create();
  const rows = Array.from({ length: count }, (_, index) => ({
    _id: `${jobId} ${index}` as never,
    jobId,
    amountWei: '1',
    kind: 'transfer',
    from: from(index),
    blockNumber: index,
    blockAt: new Date(),
    occurrence: 1,
    dropped: false,
  }));
  await stage.database.collection('deposits').insertMany(rows);
  const assessment = { inTimeWei: String(count), lateWei: '0', sufficient: false, underpaid: true };
  await stage.database
    .collection('jobs')
    .updateOne({ _id: jobId as never }, { $set: { assessment: { ...assessment, overpaid: false, late: false } } });
  return jobId;
}

const refundedOf = async (jobId: string) => {
  const returns = await stage.database.collection('returns').find({ jobId }).toArray();
  return returns.flatMap(({ depositIds }) => depositIds as string[]);
};

const statusOf = async (jobId: string) => (await stage.client.request(getJobPayment, { jobId })).status;

describe('a job with very many deposits', () => {
  it('expires in bounded transactions and refunds each deposit once', { timeout: RUN_MS }, async () => {
    const jobId = await dustedJob(1500, senderOf);
    const passed = { blockNumber: 9, blockAt: new Date().toISOString(), receivedWei: '1500' };
    const commands = await transactionsOf(stage.database, () => stage.deliver(paymentDeadlinePassed, jobId, passed));
    expect(commands.filter((one) => one === 'commitTransaction')).toHaveLength(1);
    expect(commands.length).toBeLessThan(MOST_COMMANDS);
    expect(await statusOf(jobId)).toBe('payment_expired');
    await vi.waitFor(async () => expect(await refundedOf(jobId)).toHaveLength(1500), { timeout: 60_000 });
    expect(new Set(await refundedOf(jobId)).size).toBe(1500);
    expect(await stage.database.collection('refund_backlog').countDocuments()).toBe(0);
  });

  it('is activated by its payment in a bounded transaction', { timeout: RUN_MS }, async () => {
    const jobId = await dustedJob(1500, senderOf);
    const payment = receivedFixture();
    const commands = await transactionsOf(stage.database, () => stage.deliver(paymentReceived, jobId, payment));
    expect(commands.length).toBeLessThan(MOST_COMMANDS);
    expect(await statusOf(jobId)).toBe('active');
    const [activated] = await stage.database.collection('outbox').find({ jobId, type: 'job.activated' }).toArray();
    expect(activated?.data).toMatchObject({ depositWei: PAYMENT_WEI });
    await vi.waitFor(async () => expect(await refundedOf(jobId)).toHaveLength(1500), { timeout: 60_000 });
    expect(await refundedOf(jobId)).not.toContain(payment.depositId);
  });

  it('leaves a payment among 1,500 dust deposits', { timeout: RUN_MS }, async () => {
    const payer = `0x${'6'.repeat(40)}`;
    const jobId = await dustedJob(1500, () => payer);
    await stage.deliver(paymentReceived, jobId, receivedFixture({ from: payer }));
    expect(await statusOf(jobId)).toBe('active');
    const paying = await stage.database.collection('deposits').countDocuments({ jobId, claimedBy: 'job' });
    await vi.waitFor(async () => expect(await refundedOf(jobId)).toHaveLength(1501 - paying), { timeout: 60_000 });
  });

  it('delays no other job while its refunds begin', { timeout: RUN_MS }, async () => {
    const dusted = await dustedJob(1500, senderOf);
    await stage.deliver(executionCancelCommanded, dusted, { operators: ['anna'] });
    const { jobId } = await stage.create();
    await stage.deliver(paymentReceived, jobId, receivedFixture());
    expect(await statusOf(jobId)).toBe('active');
    await vi.waitFor(async () => expect(await refundedOf(dusted)).toHaveLength(1500), { timeout: 60_000 });
  });

  it('continues after a failed part', { timeout: RUN_MS }, async () => {
    const jobId = await dustedJob(1200, senderOf);
    const get = vi.spyOn(stage.service.get(JobsRepository, { strict: false }), 'get');
    await stage.deliver(executionCancelCommanded, jobId, { operators: ['anna'] });
    get.mockRejectedValueOnce(new Error('not now'));
    await vi.waitFor(async () => expect(await refundedOf(jobId)).toHaveLength(1200), { timeout: 60_000 });
    get.mockRestore();
  });
});
