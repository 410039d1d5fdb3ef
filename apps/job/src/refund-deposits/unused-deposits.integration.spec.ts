import { randomUUID } from 'node:crypto';
import {
  executionCancelCommanded,
  executionCompleted,
  executionFailed,
  getJobStatus,
  paymentDeadlinePassed,
  paymentReceived,
  refundHeld,
  refundPaid,
  surplusFound,
} from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  BY,
  completionFixture,
  PAYER_ADDRESS,
  receivedFixture,
  stageForFile,
  TOKEN_ADDRESS,
} from '../job-service.fixture.ts';

const stage = stageForFile();
const { create, deliver, rows } = stage;

describe('the end of a job', () => {
  const activeJob = async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, receivedFixture());
    return jobId;
  };

  it('is completed with its execution, and stays so', async () => {
    const jobId = await activeJob();
    await deliver(executionCompleted, jobId, completionFixture);
    await deliver(executionFailed, jobId, { reason: 'technical', message: 'late', ordersPlaced: 1, returnedWei: '0' });
    const status = await stage.client.request(getJobStatus, { jobId });
    expect(status).toMatchObject({ status: 'completed', paymentReceived: true, tokenAddress: TOKEN_ADDRESS });
    expect(status.endedAt).toBeDefined();
    expect(status.failureReason).toBeUndefined();
    const audit = await rows('audit_entries', { jobId, action: 'job.status_changed' });
    expect(audit.map(({ from, to }) => `${from} → ${to}`)).toEqual(['pending_payment → active', 'active → completed']);
  });

  it.each([
    ['liquidity', 'failed_liquidity'],
    ['technical', 'failed_technical'],
  ] as const)('fails for %s reasons with the sentence of the executor', async (reason, status) => {
    const jobId = await activeJob();
    const failure = { reason, message: 'The pool ran dry', ordersPlaced: 3, returnedWei: '5' };
    await deliver(executionFailed, jobId, failure);
    expect(await stage.client.request(getJobStatus, { jobId })).toMatchObject({
      status,
      failureReason: 'The pool ran dry',
    });
  });

  it('does not complete a job that was never paid', async () => {
    const { jobId } = await create();
    await deliver(executionCompleted, jobId, completionFixture);
    expect(await stage.client.request(getJobStatus, { jobId })).toMatchObject({ status: 'pending_payment' });
  });
});

describe('money that pays for no order (design § 4)', () => {
  const passed = { blockNumber: 7, blockAt: new Date().toISOString(), receivedWei: '5' };
  const transactionHash = `0x${'e'.repeat(64)}`;
  const returnsDue = async (jobId: string) =>
    (await rows('outbox', { jobId, type: 'deposit.return_due' })).map(({ data }) => data);
  const expiredJob = async (differences: Partial<z.input<typeof paymentReceived.data>> = {}) => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, receivedFixture({ amountWei: '5', ...differences }));
    await deliver(paymentDeadlinePassed, jobId, passed);
    return jobId;
  };

  it('returns an underpayment and reports the return', async () => {
    const jobId = await expiredJob();
    const [due] = await returnsDue(jobId);
    expect(due).toMatchObject({ to: PAYER_ADDRESS, amountWei: '5', activated: false });
    expect((await stage.client.request(getJobStatus, { jobId })).returns).toEqual([
      { amountWei: '5', status: 'due', to: PAYER_ADDRESS },
    ]);
    const returned = { returnId: due.returnId, amountWei: '5', to: PAYER_ADDRESS, returnedWei: '3', transactionHash };
    await deliver(refundPaid, jobId, { ...returned, withTheRest: false });
    await deliver(refundHeld, jobId, { returnId: due.returnId, amountWei: '5', reason: 'came too late' });
    expect((await stage.client.request(getJobStatus, { jobId })).returns).toEqual([
      { amountWei: '5', status: 'returned', to: PAYER_ADDRESS, returnedWei: '3', transactionHash },
    ]);
  });

  it('holds a contract’s deposit with the reason', async () => {
    const amountWei = parseHype('0.01').toString();
    const jobId = await expiredJob({ kind: 'internal', from: undefined, amountWei });
    const [due] = await returnsDue(jobId);
    expect(due).toMatchObject({ to: null, holdReason: expect.stringMatching(/contract/) });
    await deliver(refundHeld, jobId, { returnId: due.returnId, amountWei, reason: due.holdReason });
    const { returns } = await stage.client.request(getJobStatus, { jobId });
    expect(returns).toEqual([{ amountWei, status: 'held', reason: due.holdReason }]);
  });

  it('never goes to another job’s wallet', async () => {
    const other = await create();
    const jobId = await expiredJob({ from: other.paymentAddress });
    expect((await returnsDue(jobId))[0]).toMatchObject({ to: null });
  });

  it('is credited once when only the ledger shows it', async () => {
    const { jobId } = await create({ returnAddress: `0x${'8'.repeat(40)}` });
    await deliver(paymentReceived, jobId, receivedFixture());
    await deliver(executionCompleted, jobId, completionFixture);
    const found = { depositId: randomUUID(), amountWei: '77', blockNumber: 9, blockAt: new Date().toISOString() };
    await deliver(surplusFound, jobId, found);
    await deliver(surplusFound, jobId, found);
    expect(await returnsDue(jobId)).toMatchObject([
      { amountWei: '77', to: `0x${'8'.repeat(40)}`, activated: true, depositIds: [found.depositId] },
    ]);
  });

  it('lists the newest deposits in a bounded answer', async () => {
    const { jobId } = await create();
    const refunds = Array.from({ length: 250 }, (_, index) => ({
      _id: `${jobId}-${index}` as never,
      jobId,
      depositIds: ['deposit'],
      amountWei: String(index),
      activated: false,
      to: PAYER_ADDRESS,
      status: 'due',
      createdAt: new Date(index),
    }));
    await stage.database.collection('returns').insertMany(refunds);
    const { returns } = await stage.client.request(getJobStatus, { jobId });
    expect(returns?.map(({ amountWei }) => amountWei)).toEqual(refunds.slice(50).map(({ amountWei }) => amountWei));
    await stage.database.collection('returns').deleteMany({ jobId });
  });

  it('returns very many deposits in separate parts', async () => {
    const { jobId } = await create();
    for (let count = 0; count < 120; count += 1)
      await deliver(paymentReceived, jobId, receivedFixture({ amountWei: '1' }));
    await deliver(executionCancelCommanded, jobId, BY);
    const due = await returnsDue(jobId);
    expect(due.map(({ amountWei }) => amountWei)).toEqual(['100', '20']);
    expect(new Set(due.flatMap(({ depositIds }) => depositIds)).size).toBe(120);
  });

  it('claims each deposit once under concurrency', async () => {
    const jobId = await expiredJob();
    await Promise.all(
      Array.from({ length: 10 }, () => deliver(paymentReceived, jobId, receivedFixture({ amountWei: '1' }))),
    );
    const due = await returnsDue(jobId);
    expect(due.reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n)).toBe(15n);
    const claims = due.flatMap(({ depositIds }) => depositIds);
    expect(new Set(claims).size).toBe(11);
  });
});
