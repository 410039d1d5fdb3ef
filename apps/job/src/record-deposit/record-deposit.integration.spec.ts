import {
  executionCancelCommanded,
  executionFailed,
  findKnownDeposits,
  getJobPayment,
  getJobPayments,
  getJobStatus,
  getJobTimeline,
  listDeposits,
  paymentDeadlinePassed,
  paymentDropped,
  paymentReceived,
  paymentSeen,
  refundHeld,
} from '@maker/contracts';
import { transactionsOf } from '@maker/messaging/testing';
import { leastStartingWei, parseHype } from '@maker/rules';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import type { ExecutorDouble } from '../executor-double.fixture.ts';
import { BY, PAYER_ADDRESS, PAYMENT_WEI, receivedFixture, stageForFile } from '../job-service.fixture.ts';

type Received = ReturnType<typeof receivedFixture>;

const stage = stageForFile();
const { create, deliver, eventTypes, rows } = stage;

describe('payment', () => {
  it('answers for many jobs and leaves out unknown ones', async () => {
    const [{ jobId: one }, { jobId: other }] = [await create(), await create()];
    const jobIds = [other, `job_${'0'.repeat(32)}`, one];
    expect((await stage.client.request(getJobPayments, { jobIds })).payments).toEqual({
      [one]: await stage.client.request(getJobPayment, { jobId: one }),
      [other]: await stage.client.request(getJobPayment, { jobId: other }),
    });
  });

  it('activates once, with the payer as return address', async () => {
    const { jobId, paymentAddress } = await create();
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'pending_payment',
      paymentReceived: false,
    });
    const payment = receivedFixture();
    await deliver(paymentReceived, jobId, payment);
    await deliver(paymentReceived, jobId, payment);
    await deliver(paymentReceived, jobId, receivedFixture({ from: `0x${'9'.repeat(40)}` }));
    const view = await stage.client.request(getJobPayment, { jobId });
    expect(view).toMatchObject({ status: 'active', paymentReceived: true, flags: { overpaid: true } });
    expect(BigInt(view.receivedWei)).toBe(2n * BigInt(PAYMENT_WEI));
    const ofActivation = ['job.activated', 'job.created', 'job.status_changed'];
    expect(await eventTypes(jobId)).toEqual(['deposit.return_due', ...ofActivation]);
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({
      walletAddress: paymentAddress,
      depositWei: PAYMENT_WEI,
      returnAddress: PAYER_ADDRESS,
    });
  });

  it('holds contract money without a return address', async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, receivedFixture({ kind: 'internal' }));
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ returnAddress: null });
  });

  it('returns dust and takes no payer from it', async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, receivedFixture({ amountWei: '1' }));
    await deliver(paymentReceived, jobId, receivedFixture({ kind: 'internal', from: undefined }));
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ depositWei: PAYMENT_WEI, returnAddress: null });
    const [due] = await rows('outbox', { jobId, type: 'deposit.return_due' });
    expect(due?.data).toMatchObject({ amountWei: '1', to: PAYER_ADDRESS });
  });

  it('holds joint payments, and credits a sole payer alone', async () => {
    const short = (leastStartingWei(BigInt(PAYMENT_WEI)) - 10n).toString();
    const stranger = `0x${'9'.repeat(40)}`;
    const [together, alone] = [(await create()).jobId, (await create()).jobId];
    for (const [jobId, amountWei] of [
      [together, (BigInt(short) + 1n).toString()] as const,
      [alone, PAYMENT_WEI] as const,
    ]) {
      await deliver(paymentReceived, jobId, receivedFixture({ amountWei: short }));
      await deliver(paymentReceived, jobId, receivedFixture({ amountWei, from: stranger }));
    }
    const [held] = await rows('outbox', { jobId: together, type: 'job.activated' });
    expect(held?.data).toMatchObject({ returnAddress: null });
    const [activated] = await rows('outbox', { jobId: alone, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ depositWei: PAYMENT_WEI, returnAddress: stranger });
    const [due] = await rows('outbox', { jobId: alone, type: 'deposit.return_due' });
    expect(due?.data).toMatchObject({ amountWei: short, to: PAYER_ADDRESS });
  });

  it('expires an unpaid job and returns later deposits once', async () => {
    const { jobId } = await create();
    const passed = { blockNumber: 7, blockAt: new Date().toISOString(), receivedWei: '0' };
    await deliver(paymentDeadlinePassed, jobId, passed);
    await deliver(paymentDeadlinePassed, jobId, passed);
    await deliver(paymentReceived, jobId, receivedFixture({ blockAt: new Date(Date.now() + 3_600_000).toISOString() }));
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'payment_expired',
      paymentReceived: false,
      lateWei: PAYMENT_WEI,
      flags: { late: true },
    });
    expect(await eventTypes(jobId)).toEqual(['deposit.return_due', 'job.created', 'job.status_changed']);
  });

  it('waits for timely money in any message order', async () => {
    const { jobId } = await create();
    const passed = { blockNumber: 7, blockAt: new Date().toISOString(), receivedWei: PAYMENT_WEI };
    stage.executor.seesPayment = true;
    await expect(deliver(paymentDeadlinePassed, jobId, passed)).rejects.toThrow('was not credited yet');
    stage.executor.seesPayment = false;
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({ status: 'pending_payment' });
    await deliver(paymentReceived, jobId, receivedFixture());
    await deliver(paymentDeadlinePassed, jobId, passed);
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({ status: 'active' });
  });

  it('credits every part of concurrent deposits', async () => {
    const { jobId } = await create();
    const part = (BigInt(PAYMENT_WEI) / 10n).toString();
    await Promise.all(
      Array.from({ length: 10 }, () => deliver(paymentReceived, jobId, receivedFixture({ amountWei: part }))),
    );
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'active',
      receivedWei: PAYMENT_WEI,
    });
  });
});

it('credits dust without reading earlier deposits', async () => {
  const { jobId } = await create();
  const read = vi.spyOn(stage.service.get(DepositsRepository, { strict: false }), 'ofJob');
  for (let count = 0; count < 5; count += 1) await deliver(paymentReceived, jobId, receivedFixture({ amountWei: '1' }));
  await deliver(executionCancelCommanded, jobId, BY);
  for (let count = 0; count < 5; count += 1) await deliver(paymentReceived, jobId, receivedFixture({ amountWei: '1' }));
  expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({
    status: 'cancelled',
    receivedWei: '10',
  });
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

describe('a payment that a reorganisation drops (design § 4)', () => {
  const timelineOf = async (jobId: string) =>
    (await stage.client.request(getJobTimeline, { jobId })).timeline.map(({ action }) => action);
  const returnsDue = (jobId: string) => rows('outbox', { jobId, type: 'deposit.return_due' });

  it('counts again once it is back in a block', async () => {
    const { jobId } = await create();
    const half = receivedFixture({ amountWei: parseHype('0.25').toString() });
    await deliver(paymentReceived, jobId, half);
    await deliver(paymentDropped, jobId, half);
    await deliver(paymentDropped, jobId, half);
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'pending_payment',
      receivedWei: '0',
      droppedWei: half.amountWei,
      flags: { underpaid: false },
    });
    await deliver(paymentReceived, jobId, half);
    await deliver(paymentReceived, jobId, { ...half, occurrence: 2, blockNumber: 9 });
    const view = await stage.client.request(getJobPayment, { jobId });
    expect(view).toMatchObject({ receivedWei: half.amountWei, flags: { underpaid: true } });
    expect(view.droppedWei).toBeUndefined();
    expect(await timelineOf(jobId)).toEqual(['job.created', 'deposit.credited', 'deposit.dropped', 'deposit.restored']);
  });

  it('expires the job when its payment was dropped', async () => {
    const { jobId } = await create();
    const some = receivedFixture({ amountWei: '5' });
    await deliver(paymentDropped, jobId, some);
    await deliver(paymentDeadlinePassed, jobId, { ...passedAt(), receivedWei: '5' });
    await deliver(paymentReceived, jobId, some);
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({ status: 'payment_expired' });
    expect(await returnsDue(jobId)).toEqual([]);
  });

  it('pays again when back, or returns after the end', async () => {
    const { jobId } = await create();
    const payment = receivedFixture();
    await deliver(paymentReceived, jobId, payment);
    await deliver(paymentDropped, jobId, payment);
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'active',
      droppedWei: PAYMENT_WEI,
    });
    await deliver(paymentReceived, jobId, { ...payment, occurrence: 2 });
    expect(await returnsDue(jobId)).toEqual([]);
    await deliver(paymentDropped, jobId, { ...payment, occurrence: 2 });
    await deliver(executionFailed, jobId, { reason: 'cancelled', message: 'x', ordersPlaced: 0, returnedWei: '0' });
    expect(await returnsDue(jobId)).toEqual([]);
    await deliver(paymentReceived, jobId, { ...payment, occurrence: 3 });
    expect(await returnsDue(jobId)).toMatchObject([{ data: { amountWei: PAYMENT_WEI, to: PAYER_ADDRESS } }]);
    const types = await eventTypes(jobId);
    expect(types.filter((type) => type === 'job.activated')).toHaveLength(1);
  });

  it('is late when mined again after the deadline', async () => {
    const { jobId } = await create();
    const part = receivedFixture({ amountWei: '5' });
    await deliver(paymentReceived, jobId, part);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await deliver(paymentReceived, jobId, { ...part, occurrence: 2, blockNumber: 99, blockAt: later });
    expect(await stage.client.request(getJobPayment, { jobId })).toMatchObject({ receivedWei: '0', lateWei: '5' });
    expect(await timelineOf(jobId)).toEqual(['job.created', 'deposit.credited', 'deposit.moved']);
  });

  it('is returned once after an earlier empty return', async () => {
    const { jobId } = await create();
    await deliver(paymentDeadlinePassed, jobId, { ...passedAt(), receivedWei: '0' });
    const late = receivedFixture({ amountWei: '5', blockAt: new Date(Date.now() + 3_600_000).toISOString() });
    await deliver(paymentReceived, jobId, late);
    const [first] = await returnsDue(jobId);
    await deliver(paymentDropped, jobId, late);
    const absent = { returnId: first?.data.returnId, amountWei: '5', reason: 'it is not there', absent: true as const };
    await deliver(refundHeld, jobId, absent);
    await deliver(paymentReceived, jobId, { ...late, occurrence: 2 });
    expect(await returnsDue(jobId)).toHaveLength(2);
    expect((await stage.client.request(getJobStatus, { jobId })).returns).toMatchObject([
      { status: 'due', amountWei: '5' },
    ]);
    const { depositIds, returnIds } = await stage.client.request(findKnownDeposits, {
      jobId,
      depositIds: [late.depositId, 'never seen'],
    });
    expect(depositIds).toEqual([late.depositId]);
    const [, again] = await returnsDue(jobId);
    expect(returnIds).toEqual([again?.data.returnId]);
  });

  function passedAt() {
    return { blockNumber: 7, blockAt: new Date().toISOString() };
  }
});

describe('unconfirmed money', () => {
  const waiting = async (jobId: string) => (await stage.client.request(getJobPayment, { jobId })).waitingWei;

  it('shows from its block until it is credited', async () => {
    const { jobId } = await create();
    expect(await waiting(jobId)).toBeUndefined();
    await deliver(paymentSeen, jobId, { seenWei: PAYMENT_WEI, revision: 2 });
    expect(await waiting(jobId)).toBe(PAYMENT_WEI);
    await deliver(paymentSeen, jobId, { seenWei: '0', revision: 1 });
    expect(await waiting(jobId)).toBe(PAYMENT_WEI);
    expect((await stage.client.request(getJobPayment, { jobId })).status).toBe('pending_payment');
    await deliver(paymentReceived, jobId, receivedFixture());
    expect(await waiting(jobId)).toBeUndefined();
    expect((await stage.client.request(getJobPayment, { jobId })).status).toBe('active');
  });

  it('is written in one transaction of three commands', async () => {
    const { jobId } = await create();
    const kept = ['insert inbox', 'update jobs', 'commitTransaction'];
    expect(
      await transactionsOf(stage.database, () => deliver(paymentSeen, jobId, { seenWei: PAYMENT_WEI, revision: 1 })),
    ).toEqual(kept);
    const unknown = `job_${'0'.repeat(32)}`;
    await expect(deliver(paymentSeen, unknown, { seenWei: PAYMENT_WEI, revision: 1 })).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
  });

  it('disappears with its block, but not after credit', async () => {
    const dropped = (await create()).jobId;
    await deliver(paymentSeen, dropped, { seenWei: PAYMENT_WEI, revision: 1 });
    await deliver(paymentSeen, dropped, { seenWei: '0', revision: 2 });
    expect(await waiting(dropped)).toBeUndefined();
    const overtaken = (await create()).jobId;
    await deliver(paymentReceived, overtaken, receivedFixture());
    await deliver(paymentSeen, overtaken, { seenWei: PAYMENT_WEI, revision: 1 });
    expect(await waiting(overtaken)).toBeUndefined();
  });
});

describe('a report of payment-watcher (docs/adr/0118)', () => {
  const statusOf = async (jobId: string) => (await stage.client.request(getJobPayment, { jobId })).status;
  const passed = () => ({ blockNumber: 7, blockAt: new Date().toISOString(), receivedWei: '0' });
  const executor = (answers: Partial<ExecutorDouble>) => Object.assign(stage.executor, answers);

  afterEach(() => executor({ transfer: 'proven', seesDeposits: true, seesPayment: false }));

  it('is ignored if the executor refutes it', async () => {
    const { jobId } = await create();
    const reported = receivedFixture();
    executor({ transfer: 'refuted', seesDeposits: false });
    await deliver(paymentReceived, jobId, reported);
    await deliver(paymentReceived, jobId, receivedFixture({ kind: 'balance', from: undefined }));
    expect(await statusOf(jobId)).toBe('pending_payment');
    executor({ transfer: 'proven' });
    await deliver(paymentReceived, jobId, reported);
    expect(await statusOf(jobId)).toBe('active');
  });

  it('is proven also after the job has started', async () => {
    const { jobId, paymentAddress } = await create();
    const [first, refuted, later] = ['1', '2', '3'].map((number) =>
      receivedFixture({ depositId: `${paymentAddress.toLowerCase()}:${number}` }),
    ) as [Received, Received, Received];
    const listed = async () => (await stage.client.request(listDeposits, { jobId })).deposits;
    await deliver(paymentReceived, jobId, first);
    executor({ transfer: 'refuted' });
    await deliver(paymentReceived, jobId, refuted);
    expect((await listed()).map(({ depositId }) => depositId)).toEqual([first.depositId]);
    executor({ transfer: 'proven' });
    await deliver(paymentReceived, jobId, later);
    const ids = (await listed()).map(({ depositId }) => depositId);
    expect(ids).toEqual([first.depositId, later.depositId].toSorted());
  });

  it('is retried while the executor has no proof', async () => {
    const { jobId } = await create();
    executor({ transfer: 'waiting', seesDeposits: null, seesPayment: null });
    for (const kind of ['transfer', 'internal'] as const)
      await expect(deliver(paymentReceived, jobId, receivedFixture({ kind }))).rejects.toMatchObject(NOT_YET);
    await expect(deliver(paymentDeadlinePassed, jobId, passed())).rejects.toMatchObject(NOT_YET);
    expect(await statusOf(jobId)).toBe('pending_payment');
  });

  it('that nobody proves keeps no unpaid job waiting', async () => {
    const { jobId } = await create();
    executor({ transfer: 'waiting' });
    const reported = receivedFixture();
    await expect(deliver(paymentReceived, jobId, reported)).rejects.toMatchObject(NOT_YET);
    await deliver(paymentDeadlinePassed, jobId, { ...passed(), receivedWei: PAYMENT_WEI });
    expect(await statusOf(jobId)).toBe('payment_expired');
    executor({ transfer: 'proven' });
    await deliver(paymentReceived, jobId, reported);
    expect(await rows('outbox', { jobId, type: 'deposit.return_due' })).toMatchObject([
      { data: { amountWei: PAYMENT_WEI, to: PAYER_ADDRESS } },
    ]);
  });

  it('waits for no proof once a newer one came', async () => {
    const { jobId } = await create();
    const reported = receivedFixture();
    executor({ transfer: 'waiting' });
    await expect(deliver(paymentReceived, jobId, reported)).rejects.toMatchObject(NOT_YET);
    await deliver(paymentDropped, jobId, reported);
    await deliver(paymentReceived, jobId, reported);
    const view = await stage.client.request(getJobPayment, { jobId });
    expect(view).toMatchObject({ status: 'pending_payment', receivedWei: '0', droppedWei: PAYMENT_WEI });
    const mined = { ...reported, occurrence: 2, blockNumber: 9 };
    await expect(deliver(paymentReceived, jobId, mined)).rejects.toMatchObject(NOT_YET);
    executor({ transfer: 'proven' });
    await deliver(paymentReceived, jobId, mined);
    expect(await statusOf(jobId)).toBe('active');
  });

  it('names no payer if no sender can be proven', async () => {
    const { jobId } = await create();
    executor({ transfer: 'unprovable' });
    await deliver(paymentReceived, jobId, receivedFixture());
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ returnAddress: null, depositWei: PAYMENT_WEI });
    expect(activated?.data).not.toHaveProperty('paidBy');
  });

  it('counts no second transfer without the balance', async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, receivedFixture({ amountWei: '5' }));
    executor({ seesDeposits: false });
    await deliver(paymentReceived, jobId, receivedFixture());
    expect(await statusOf(jobId)).toBe('pending_payment');
  });

  it('expires no job whose wallet holds the payment', async () => {
    const { jobId } = await create();
    executor({ seesPayment: true });
    await expect(deliver(paymentDeadlinePassed, jobId, passed())).rejects.toMatchObject(NOT_YET);
    expect(await statusOf(jobId)).toBe('pending_payment');
    executor({ seesPayment: false });
    await deliver(paymentDeadlinePassed, jobId, passed());
    expect(await statusOf(jobId)).toBe('payment_expired');
  });

  const NOT_YET = { code: 'NOT_PROVEN_YET' };
});
