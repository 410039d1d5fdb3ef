import { randomUUID } from 'node:crypto';
import { bookCapacity, executionCompleted, makePlan, paymentReceived } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { afterEach, describe, expect, it } from 'vitest';
import { CapacityRepository } from '../job/capacity.repository.ts';
import { completionFixture, PAYMENT_WEI, receivedFixture, stageForFile } from '../job-service.fixture.ts';

/** Capacity of an installation at HyperEVM's public endpoint: two jobs of some 5.8 HYPE need nearly all of it. */
const stage = stageForFile({ JOB_ORDER_REQUESTS_PER_MINUTE: '40', JOB_BLOCK_SHARE_BPS: '1000' });
const LARGE_WEI = parseHype('5.8').toString();
const ALL_WEI = parseHype('60').toString();

let active: string[] = [];
let network = 0;

afterEach(async () => {
  for (const jobId of active) await stage.deliver(executionCompleted, jobId, completionFixture);
  active = [];
});

const addressOf = (digits: string) => `0x${digits.repeat(40)}`;
function someNetwork(): string {
  network += 1;
  return `10.0.${network}.1`;
}

interface Ordered {
  readonly amountWei?: string;
  readonly token?: string;
  readonly payer?: string;
  readonly clientAddress?: string;
  readonly returnAddress?: string;
}

async function created({ amountWei = LARGE_WEI, token = 'a', payer: _, ...more }: Ordered = {}): Promise<string> {
  const job = { tokenAddress: addressOf(token), paymentAmountWei: amountWei, clientAddress: someNetwork(), ...more };
  return (await stage.create(job)).jobId;
}

async function pay(jobId: string, { amountWei = LARGE_WEI, payer = randomUUID().slice(0, 1) }: Ordered = {}) {
  await stage.deliver(paymentReceived, jobId, receivedFixture({ amountWei, from: addressOf(payer) }));
  active.push(jobId);
}

async function paid(ordered: Ordered = {}): Promise<string> {
  const jobId = await created(ordered);
  await pay(jobId, ordered);
  return jobId;
}

const book = async (jobId: string) => (await stage.client.request(bookCapacity, { jobId })).isBooked;
/** A job that pays its fee at once. */
async function trading(ordered: Ordered = {}): Promise<string> {
  const jobId = await paid(ordered);
  expect(await book(jobId)).toBe(true);
  return jobId;
}
const visitor = (token = 'f') =>
  stage.client.request(makePlan, {
    tokenAddress: addressOf(token),
    paymentAmountWei: PAYMENT_WEI,
    clientAddress: someNetwork(),
  });
/** Passes the two minutes after which an unused booking is given back. */
const passTwoMinutes = (jobId: string) =>
  stage.database
    .collection('jobs')
    .updateOne({ _id: jobId as never }, { $set: { bookedAt: new Date(Date.now() - 120_000) } });
const booked = async () => (await stage.service.get(CapacityRepository, { strict: false }).booked()).requestsPerHour;
const FULL = {
  code: 'NO_CAPACITY',
  message: expect.stringMatching(/^The bot is booked until about 20\d\d-\d\d-\d\d \d\d:\d\d UTC/),
};

describe('jobs that wait before their fee (docs/adr/0155)', () => {
  it('refuse no visitor, however many there are', async () => {
    const jobs: string[] = [];
    while (jobs.length < 6) jobs.push(await created());
    for (const jobId of jobs) await pay(jobId);
    expect((await visitor()).warnings).toEqual(['only_one_pool']);
    expect((await visitor('a')).warnings).toEqual(['only_one_pool']);
  });

  it('give their booking back after two minutes', async () => {
    const before = await booked();
    const jobId = await paid();
    expect(await booked()).toBeGreaterThan(before);
    const [row] = await stage.rows('jobs', { _id: jobId });
    expect(Math.abs(row?.bookedAt.getTime() - Date.now())).toBeLessThan(60_000);
    await passTwoMinutes(jobId);
    expect(await booked()).toBe(before);
  });

  it('book before the fee, once', async () => {
    const jobId = await paid();
    expect([await book(jobId), await book(jobId)]).toEqual([true, true]);
    const inUse = await booked();
    expect(await stage.rows('jobs', { _id: jobId, bookedAt: { $exists: true } })).toEqual([]);
    expect(await booked()).toBe(inUse);
  });

  it('wait while others use the capacity, then book', async () => {
    const late = await paid({ token: 'b' });
    await passTwoMinutes(late);
    const others = [
      await trading({ token: 'c', amountWei: ALL_WEI }),
      await trading({ token: 'd', amountWei: ALL_WEI }),
    ];
    const inUse = await booked();
    expect(await book(late)).toBe(false);
    expect(await booked()).toBe(inUse);
    await stage.deliver(executionCompleted, others[0] as string, completionFixture);
    expect(await book(late)).toBe(true);
  });

  it('never book again beyond the capacity together', async () => {
    const jobs: string[] = [];
    while (jobs.length < 4) jobs.push(await created({ token: 'abcd'.charAt(jobs.length), amountWei: ALL_WEI }));
    for (const jobId of jobs) await pay(jobId, { amountWei: ALL_WEI });
    for (const jobId of jobs) await passTwoMinutes(jobId);
    const answers = await Promise.all(jobs.map(book));
    expect(answers.filter(Boolean)).toHaveLength(2);
    expect(await booked()).toBeLessThanOrEqual(2400n);
  });

  it('are booked nothing after their end', async () => {
    const jobId = await paid();
    await stage.deliver(executionCompleted, jobId, completionFixture);
    expect(await book(jobId)).toBe(false);
    await expect(book(`job_${'0'.repeat(32)}`)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});

describe('the capacity of all jobs (docs/adr/0155)', () => {
  it('is refused with the time when it is free', async () => {
    // Each gets half of what is free.
    for (const [index, hype] of ['60', '60', '30', '15', '8'].entries())
      await trading({ token: 'abcde'.charAt(index), amountWei: parseHype(hype).toString() });
    await expect(visitor()).rejects.toMatchObject(FULL);
    await expect(created({ token: 'f' })).rejects.toMatchObject(FULL);
  });

  it.each([
    ['token', { token: 'a' }],
    ['recipient', { returnAddress: addressOf('9') }],
    ['network', { clientAddress: '203.0.113.7' }],
  ])('leaves a part to others than one %s', async (_party, same) => {
    const next = (index: number, hype: string) => ({
      token: 'abcde'.charAt(index),
      amountWei: parseHype(hype).toString(),
      ...same,
    });
    for (const [index, hype] of ['60', '15', '7', '3.5'].entries()) await trading(next(index, hype));
    await expect(created(next(4, '0.5'))).rejects.toMatchObject(FULL);
    expect(await booked()).toBeLessThanOrEqual(1800n);
    expect((await visitor('f')).warnings).toEqual(['only_one_pool']);
  });

  it('keeps the widest network only, until the end', async () => {
    const networks = async (jobId: string) => (await stage.rows('jobs', { _id: jobId }))[0]?.clientNetworks;
    const jobId = await created({ clientAddress: '203.0.113.7' });
    expect(await networks(jobId)).toEqual(['203.0.113.0/24', '203.0.113.7/32']);
    await pay(jobId);
    expect(await networks(jobId)).toEqual(['203.0.113.0/24']);
    await stage.deliver(executionCompleted, jobId, completionFixture);
    expect(await networks(jobId)).toBeUndefined();
  });
});
