import {
  changeReturnAddress,
  getJobPayment,
  getJobPayments,
  getJobStatus,
  paymentDropped,
  paymentReceived,
  startJob,
} from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { afterEach, describe, expect, it } from 'vitest';
import { PAYER_ADDRESS, receivedFixture, stageForFile } from '../job-service.fixture.ts';

const stage = stageForFile();
const { create, deliver, rows } = stage;

const OTHER = `0x${'b1'.repeat(20)}`;
const hype = (amount: string) => parseHype(amount).toString();
const start = (jobId: string, stopSecret = '') => stage.client.request(startJob, { jobId, stopSecret });
const payment = (jobId: string) => stage.client.request(getJobPayment, { jobId });
const refusal = (message: RegExp) => ({ code: 'NOT_POSSIBLE_NOW', message: expect.stringMatching(message) });
const name = (jobId: string, stopSecret = '') =>
  stage.client.request(changeReturnAddress, { jobId, stopSecret, returnAddress: OTHER });

/** A job of 0.5 HYPE with parts of its payment, in HYPE. */
async function partlyPaid(...parts: readonly (string | Parameters<typeof receivedFixture>[0])[]) {
  const job = await create();
  for (const part of parts)
    await deliver(
      paymentReceived,
      job.jobId,
      receivedFixture(typeof part === 'string' ? { amountWei: hype(part) } : part),
    );
  return job;
}

const activation = async (jobId: string) => (await rows('outbox', { jobId, type: 'job.activated' }))[0]?.data;
const refunds = async (jobId: string) =>
  (await rows('outbox', { jobId, type: 'deposit.return_due' })).map(({ data }) => data);

afterEach(() => {
  Object.assign(stage.executor, { seesDeposits: true });
});

describe('99 % of the amount (docs/adr/0148)', () => {
  it('starts the job with what came; the rest is refunded', async () => {
    const { jobId } = await partlyPaid('0.4995', { amountWei: hype('0.0005'), from: OTHER });
    expect(await activation(jobId)).toMatchObject({
      depositWei: hype('0.4995'),
      returnAddress: PAYER_ADDRESS,
    });
    expect(await stage.client.request(getJobStatus, { jobId })).toMatchObject({
      status: 'active',
      leastPaymentWei: hype('0.495'),
      flags: { underpaid: false },
      plan: { depositWei: hype('0.4995'), feeWei: hype('0.14985') },
    });
    expect(await refunds(jobId)).toMatchObject([{ to: OTHER, amountWei: hype('0.0005') }]);
  });
});

describe('a start with less', () => {
  it('activates the job once, with the sum that came', async () => {
    const { jobId, stopSecret } = await partlyPaid('0.41');
    expect(await payment(jobId)).toMatchObject({ startableWei: hype('0.41'), flags: { underpaid: true } });
    const { payments } = await stage.client.request(getJobPayments, { jobIds: [jobId] });
    expect(payments[jobId]).toMatchObject({ startableWei: hype('0.41') });
    const first = await start(jobId, stopSecret);
    expect(first).toEqual({ status: 'active', amountWei: hype('0.41') });
    expect(await start(jobId, stopSecret)).toEqual(first);
    expect(await activation(jobId)).toMatchObject({
      depositWei: hype('0.41'),
      returnAddress: PAYER_ADDRESS,
      paidBy: [{ amountWei: hype('0.41') }],
    });
    expect(await payment(jobId)).not.toHaveProperty('startableWei');
  });

  it('refunds what comes later to its sender', async () => {
    const { jobId, stopSecret } = await partlyPaid('0.41');
    await start(jobId, stopSecret);
    await deliver(paymentReceived, jobId, receivedFixture({ amountWei: hype('0.09'), from: OTHER }));
    expect(await refunds(jobId)).toMatchObject([{ to: OTHER, amountWei: hype('0.09') }]);
  });

  it('keeps every deposit in a race with a top-up', async () => {
    const { jobId, stopSecret } = await partlyPaid('0.41');
    const topUp = receivedFixture({ amountWei: hype('0.09') });
    const [answer] = await Promise.all([start(jobId, stopSecret), deliver(paymentReceived, jobId, topUp)]);
    const activated = await activation(jobId);
    expect(answer.amountWei).toBe(activated?.depositWei);
    const refunded = (await refunds(jobId)).reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n);
    expect(BigInt(activated?.depositWei) + refunded).toBe(parseHype('0.5'));
    expect(await rows('outbox', { jobId, type: 'job.activated' })).toHaveLength(1);
  });

  it('uses the money of one payer only', async () => {
    const { jobId, stopSecret } = await partlyPaid('0.3', { amountWei: hype('0.1'), from: OTHER });
    expect(await start(jobId, stopSecret)).toMatchObject({ amountWei: hype('0.3') });
    expect(await refunds(jobId)).toMatchObject([{ to: OTHER, amountWei: hype('0.1') }]);
  });

  it.each([
    ['a contract', [{ amountWei: hype('0.41'), kind: 'internal', from: undefined }]],
    ['two wallets', ['0.21', { amountWei: hype('0.2'), from: OTHER }]],
  ] as const)('needs a named address for money of %s', async (_, parts) => {
    const { jobId, stopSecret } = await partlyPaid(...parts);
    expect(await payment(jobId)).not.toHaveProperty('startableWei');
    await expect(start(jobId, stopSecret)).rejects.toMatchObject(refusal(/payer of this money is unknown/));
    await name(jobId, stopSecret);
    expect(await payment(jobId)).toMatchObject({ startableWei: hype('0.41') });
    expect(await start(jobId, stopSecret)).toMatchObject({ amountWei: hype('0.41') });
    expect(await activation(jobId)).toMatchObject({ returnAddress: OTHER, depositWei: hype('0.41') });
    expect(await activation(jobId)).not.toHaveProperty('paidBy');
  });

  it('excludes a part that left the chain', async () => {
    const part = receivedFixture({ amountWei: hype('0.2') });
    const { jobId, stopSecret } = await partlyPaid(part, '0.21');
    await deliver(paymentDropped, jobId, part);
    await expect(start(jobId, stopSecret)).rejects.toMatchObject(refusal(/Less than the minimum/));
  });

  it.each([[false], [null]])('waits if the executor sees %s of it', async (seesDeposits) => {
    const { jobId, stopSecret } = await partlyPaid('0.41');
    Object.assign(stage.executor, { seesDeposits });
    await expect(start(jobId, stopSecret)).rejects.toMatchObject(refusal(/does not show all of this money/));
    expect(await payment(jobId)).toMatchObject({ status: 'pending_payment' });
  });

  it('is refused without money and without the secret', async () => {
    const { jobId, stopSecret } = await create();
    await expect(start(jobId, stopSecret)).rejects.toMatchObject(refusal(/No money has arrived/));
    await deliver(paymentReceived, jobId, receivedFixture({ amountWei: hype('0.2474') }));
    await expect(start(jobId, stopSecret)).rejects.toMatchObject(refusal(/Less than the minimum/));
    await expect(start(jobId, `stop_${'x'.repeat(32)}`)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('keeps the address open after a part came', async () => {
    const { jobId, stopSecret } = await partlyPaid('0.2');
    expect(await name(jobId, stopSecret)).toEqual({ returnAddress: OTHER });
    await deliver(paymentReceived, jobId, receivedFixture({ amountWei: hype('0.3') }));
    expect(await activation(jobId)).toMatchObject({ returnAddress: OTHER, depositWei: hype('0.5') });
    await expect(name(jobId, stopSecret)).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
  });
});
