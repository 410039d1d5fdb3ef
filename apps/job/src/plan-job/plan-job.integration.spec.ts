import {
  bookCapacity,
  executionCompleted,
  getJobPayment,
  getJobStatus,
  makePlan,
  paymentReceived,
} from '@maker/contracts';
import { RequestFailure } from '@maker/messaging';
import { parseHype } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import { describe, expect, it } from 'vitest';
import { CapacityRepository } from '../job/capacity.repository.ts';
import {
  completionFixture,
  PAYMENT_WEI,
  receivedFixture,
  stageForFile,
  TOKEN_ADDRESS,
} from '../job-service.fixture.ts';
import { marketFixture } from '../plan/market.fixture.ts';

const stage = stageForFile();
const { create, deliver, rows } = stage;

describe('the plan of a job (design § 4a)', () => {
  const plan = () => stage.client.request(makePlan, { tokenAddress: TOKEN_ADDRESS, paymentAmountWei: PAYMENT_WEI });
  const activated = async (jobId: string) => (await rows('outbox', { jobId, type: 'job.activated' }))[0]?.data;

  it('is shown before creation, with it and in the status', async () => {
    const before = await stage.database.collection('jobs').countDocuments();
    const offered = await plan();
    expect(offered).toMatchObject({
      feeWei: parseHype('0.15').toString(),
      orders: { count: 625 },
      warnings: ['only_one_pool'],
    });
    expect(await stage.database.collection('jobs').countDocuments()).toBe(before);
    const created = await create();
    expect(created.plan).toMatchObject({ orders: offered.orders, purchase: offered.purchase });
    expect((await stage.client.request(getJobStatus, { jobId: created.jobId })).plan).toEqual(created.plan);
    expect(await stage.client.request(getJobPayment, { jobId: created.jobId })).not.toHaveProperty('plan');
  });

  it('is calculated again for the payment, keeping the price', async () => {
    const { jobId, plan: seen } = await create();
    stage.validation.market = marketFixture(1000n);
    stage.validation.refusal = new RequestFailure('SERVICE_UNAVAILABLE', 'no chain');
    await deliver(paymentReceived, jobId, receivedFixture({ amountWei: parseHype('0.8').toString() }));
    const { plan: held } = await stage.client.request(getJobStatus, { jobId });
    expect(held).toMatchObject({ depositWei: parseHype('0.8').toString(), purchase: { exchange: 'hyperswap-v2' } });
    expect(held?.purchase.seenPriceX96).toBe(seen?.purchase.seenPriceX96);
    expect(await activated(jobId)).toMatchObject({
      plan: { slotMs: held?.slotMs, latestEndAt: held?.latestEndAt, seenPriceX96: held?.purchase.seenPriceX96 },
    });
    expect(await rows('markets', { _id: jobId as never })).toEqual([]);
  });

  it('explains a refused amount like the creation does', async () => {
    stage.validation.market = marketFixture(3000n, { pools: [] });
    const before = await stage.database.collection('jobs').countDocuments();
    const refused = { code: 'TOKEN_NOT_TRADABLE', message: 'No pool of this token can take an order at the moment' };
    await expect(plan()).rejects.toMatchObject(refused);
    await expect(create()).rejects.toMatchObject(refused);
    expect(await stage.database.collection('jobs').countDocuments()).toBe(before);
  });

  it('books its pace until the job ends', async () => {
    const capacity = stage.service.get(CapacityRepository, { strict: false });
    const before = await capacity.booked();
    const jobs = await Promise.all(Array.from({ length: 6 }, () => create()));
    await Promise.all(jobs.map(({ jobId }) => deliver(paymentReceived, jobId, receivedFixture())));
    const each = jobs.map(
      async ({ jobId }) => (await rows('jobs', { _id: jobId as never }))[0]?.booked.requestsPerHour,
    );
    const booked = (await Promise.all(each)).reduce((sum, one) => sum + BigInt(one), before.requestsPerHour);
    expect((await capacity.booked()).requestsPerHour).toBe(booked);
    for (const { jobId } of jobs) await deliver(executionCompleted, jobId, completionFixture);
    expect(await capacity.booked()).toEqual(before);
  });

  it('keeps its shown end after others booked nearly everything', async () => {
    const lasts = ({ startsAt, latestEndAt }: { startsAt: string; latestEndAt: string }) =>
      Date.parse(latestEndAt) - Date.parse(startsAt);
    const { jobId } = await create();
    const { plan: shown } = await stage.client.request(getJobStatus, { jobId });
    const others: string[] = [];
    // Each gets half of the free capacity: they have nothing in common.
    while (others.length < 5) {
      const digit = 2 + others.length;
      const tokenAddress = `0x${`${digit}`.repeat(40)}`;
      const other = await create({ tokenAddress, clientAddress: `10.0.${digit}.1` });
      const paid = { amountWei: parseHype('1000').toString(), from: `0x${`${digit}`.repeat(40)}` };
      await deliver(paymentReceived, other.jobId, receivedFixture(paid));
      expect((await stage.client.request(bookCapacity, { jobId: other.jobId })).isBooked).toBe(true);
      others.push(other.jobId);
    }
    await expect(plan()).rejects.toMatchObject({ code: 'NO_CAPACITY' });
    await deliver(paymentReceived, jobId, receivedFixture());
    const { plan: held } = await stage.client.request(getJobStatus, { jobId });
    expect(held && lasts(held)).toBe(shown && lasts(shown));
    for (const ended of [...others, jobId]) await deliver(executionCompleted, ended, completionFixture);
  });

  it('refuses new jobs when booked out, takes paid ones', async () => {
    const paid = await create();
    // Blocks with almost no gas have the same effect as booked capacity.
    stage.validation.market = marketFixture(3000n, { blockGas: '100' });
    const late = await create().catch((error: unknown) => error);
    expect(late).toMatchObject({ code: 'NO_CAPACITY', message: expect.stringContaining('booked') });
    await deliver(paymentReceived, paid.jobId, receivedFixture());
    expect(await stage.client.request(getJobPayment, { jobId: paid.jobId })).toMatchObject({ status: 'active' });
    const metrics = await stage.service.get(MetricsRegistry, { strict: false }).metrics();
    expect(metrics).toContain('maker_job_refusals_total{reason="capacity"} 1');
    expect(metrics).toMatch(/maker_job_booked_ratio\{resource="gas"\} 0\.\d+/);
  });
});
