import { randomUUID } from 'node:crypto';
import { createJob, paymentReceived } from '@maker/contracts';
import { startMongo } from '@maker/local-stack';
import { RequestFailure } from '@maker/messaging';
import { parseHype } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import { deriveAddress } from '@maker/signing/derivation';
import { describe, expect, it } from 'vitest';
import { PAYMENT_WEI, receivedFixture, stageForFile, TOKEN_ADDRESS } from '../job-service.fixture.ts';
import { TEST_XPUB } from '../plan/market.fixture.ts';
import { MOST_UNPAID_OF_SERVER_KEY } from './begin-jobs.service.ts';

const stage = stageForFile({ JOB_MOST_UNPAID_JOBS_PER_CLIENT: '3' }, startMongo);
const { create, deliver, eventTypes, rows } = stage;

/** Address 0 of the test account. */
const FIRST_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
/** Longer than any test takes on a busy machine, ms. */
const RUN_MS = 120_000;

/** Counters of `serverStatus`. */
interface ServerStatus {
  readonly opcounters: { readonly query: number; readonly insert: number; readonly update: number };
}

describe('job.create', () => {
  it('derives the next address and records its event', async () => {
    const first = await create();
    const second = await create();
    expect(first.paymentAddress).toBe(FIRST_ADDRESS);
    expect(second.paymentAddress).toBe(deriveAddress(TEST_XPUB, 1));
    expect(first).toMatchObject({ paymentAmount: 0.5, paymentAmountWei: PAYMENT_WEI });
    expect(await eventTypes(first.jobId)).toEqual(['job.created']);
    expect(await rows('audit_entries', { jobId: first.jobId })).toMatchObject([{ action: 'job.created' }]);
  });

  it('gives 15 minutes from the chain’s time if later', async () => {
    const chainTimeMs = Date.now() + 3_600_000;
    stage.validation.verdict = {
      ...stage.validation.verdict,
      checkedAtBlock: { number: 9, at: new Date(chainTimeMs).toISOString() },
    };
    const { paymentDeadline } = await create();
    expect(Date.parse(paymentDeadline)).toBe(chainTimeMs + 15 * 60_000);
  });

  it('rejects a token that is not tradable, creating nothing', async () => {
    stage.validation.verdict = {
      ...stage.validation.verdict,
      isValid: false,
      errorMessage: 'This token takes a fee on transfer',
    };
    const before = await stage.database.collection('jobs').countDocuments();
    await expect(create()).rejects.toMatchObject({
      code: 'TOKEN_NOT_TRADABLE',
      message: 'This token takes a fee on transfer',
    });
    expect(await stage.database.collection('jobs').countDocuments()).toBe(before);
  });

  it('rejects amounts outside 0.25 to 1000 HYPE first', async () => {
    const before = stage.validation.reads;
    for (const hype of ['0.249', '1000.1']) {
      const attempt = create({ paymentAmountWei: parseHype(hype).toString() });
      await expect(attempt).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' });
    }
    expect(stage.validation.reads).toBe(before);
  });

  it('rejects a job wallet as return address', async () => {
    const { paymentAddress } = await create();
    const before = await stage.database.collection('jobs').countDocuments();
    await expect(create({ returnAddress: paymentAddress.toLowerCase() })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('payment address of a job'),
    });
    expect(await stage.database.collection('jobs').countDocuments()).toBe(before);
  });

  it('falls back to the minimum-liquidity sentence (specification § 8)', async () => {
    stage.validation.verdict = { ...stage.validation.verdict, isValid: false };
    await expect(create()).rejects.toThrow('Token does not meet minimum liquidity requirements');
  });

  it('passes on the refusal of token-validation', async () => {
    stage.validation.refusal = new RequestFailure('SERVICE_UNAVAILABLE', 'no chain');
    await expect(create()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('answers a repeated idempotency key with the first job', async () => {
    const key = randomUUID();
    const first = await create({ idempotencyKey: key });
    stage.validation.verdict = { ...stage.validation.verdict, isValid: false };
    expect(first).not.toHaveProperty('replayed');
    expect(await create({ idempotencyKey: key })).toEqual({ ...first, replayed: true });
    expect(await eventTypes(first.jobId)).toEqual(['job.created']);
  });

  it('rejects a reused key with another body', async () => {
    const key = randomUUID();
    const first = await create({ idempotencyKey: key });
    const other = create({ idempotencyKey: key, paymentAmountWei: parseHype('1').toString() });
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const renamed = create({ idempotencyKey: key, metadata: { orderId: '1' } });
    await expect(renamed).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const another = await create({ idempotencyKey: key, apiKeyName: 'partner' });
    expect(another.jobId).not.toBe(first.jobId);
  });

  /** Reads, inserts and updates that mongod has done. */
  const commands = async (): Promise<number> => {
    const { opcounters } = (await stage.database.getClient().db().admin().serverStatus()) as never as ServerStatus;
    return opcounters.query + opcounters.insert + opcounters.update;
  };

  it('makes one job of 50 concurrent twins', async () => {
    const key = randomUUID();
    const before = await stage.database.collection('jobs').countDocuments();
    const commandsBefore = await commands();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ idempotencyKey: key })));
    expect(new Set(answers.map(({ jobId }) => jobId)).size).toBe(1);
    expect(await stage.database.collection('jobs').countDocuments()).toBe(before + 1);
    expect((await commands()) - commandsBefore).toBeLessThan(30);
  });

  it('gives concurrent jobs distinct addresses without a gap', async () => {
    await Promise.all(Array.from({ length: 30 }, () => create()));
    const jobs = await stage.database.collection('jobs').find().sort({ walletIndex: 1 }).toArray();
    expect(jobs.map((job) => job.walletIndex)).toEqual(jobs.map((_, index) => index));
    for (const job of jobs) expect(job.paymentAddress).toBe(deriveAddress(TEST_XPUB, job.walletIndex));
  });
});

describe('limits of unpaid jobs', () => {
  it('counts the jobs of a server’s key, not its address', async () => {
    const server = { isServerKey: true, clientAddress: '198.51.100.77' };
    const open = (apiKeyName: string) => create({ ...server, apiKeyName });
    // More than one client address may have.
    for (let count = 0; count < 4; count += 1) await open('small-shop');
    const [row] = await rows('jobs', { 'idempotency.apiKeyName': 'small-shop' });
    expect(row).not.toHaveProperty('clientAddress');
    const copies = Array.from({ length: MOST_UNPAID_OF_SERVER_KEY - 1 }, (_, index) => ({
      ...row,
      _id: `job_of_shop_${index}`,
      walletIndex: 3_000_000 + index,
      paymentAddress: `wallet of shop ${index}`,
      idempotency: { apiKeyName: 'shop' },
    }));
    await stage.database.collection('jobs').insertMany(copies as never[]);
    await open('shop');
    const refusal = { code: 'TOO_MANY_OPEN_JOBS', message: expect.stringContaining('500 jobs of your API key') };
    await expect(open('shop')).rejects.toMatchObject(refusal);
    await open('small-shop');
    await create({ clientAddress: server.clientAddress });
    await stage.database.collection('jobs').deleteMany({ 'idempotency.apiKeyName': 'shop' });
  });

  const clientAddress = '203.0.113.7';
  const limited = { code: 'TOO_MANY_OPEN_JOBS', message: expect.stringContaining('3 jobs from your address') };

  it('limit a client, end with the payment, delete its address', async () => {
    const before = await stage.database.collection('jobs').countDocuments();
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => create({ clientAddress })));
    const made = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(made).toHaveLength(3);
    expect(await stage.database.collection('jobs').countDocuments()).toBe(before + 3);
    await expect(create({ clientAddress })).rejects.toMatchObject(limited);
    await create({ clientAddress: '203.0.113.8' });
    const { jobId } = made[0] as { jobId: string };
    await deliver(paymentReceived, jobId, receivedFixture());
    const [paid] = await rows('jobs', { _id: jobId as never });
    expect(paid).not.toHaveProperty('clientAddress');
    await create({ clientAddress });
    const metrics = await stage.service.get(MetricsRegistry, { strict: false }).metrics();
    expect(metrics).toMatch(/maker_job_refusals_total\{reason="unpaid"\} [6-9]/);
  });
});

it('creates nothing for a caller that gave up', async () => {
  const before = await stage.database.collection('jobs').countDocuments();
  const late = { tokenAddress: TOKEN_ADDRESS, paymentAmountWei: PAYMENT_WEI, apiKeyName: 'web' };
  const attempts = Array.from({ length: 20 }, () => stage.client.request(createJob, late, 1).catch(() => undefined));
  await Promise.all(attempts);
  await create();
  expect(await stage.database.collection('jobs').countDocuments()).toBe(before + 1);
});

it('answers each of 2,000 creations with a job or refusal', { timeout: RUN_MS }, async () => {
  const before = await stage.database.collection('jobs').countDocuments();
  const readsBefore = stage.validation.reads;
  const creation = { tokenAddress: TOKEN_ADDRESS, paymentAmountWei: PAYMENT_WEI, apiKeyName: 'web' };
  // The timeout is longer than the test, so that no answer is lost and each job has one.
  const ask = (index: number) =>
    stage.client.request(createJob, { ...creation, clientAddress: `203.0.${index >> 8}.${index & 255}` }, RUN_MS);
  const attempts = await Promise.allSettled(Array.from({ length: 2000 }, (_, index) => ask(index)));
  const made = attempts.filter(({ status }) => status === 'fulfilled').length;
  const codes = attempts.flatMap((end) => (end.status === 'rejected' ? [(end.reason as { code: string }).code] : []));
  expect(made).toBeGreaterThan(0);
  expect([...new Set(codes)].filter((code) => code !== 'OVERLOADED')).toEqual([]);
  expect(await stage.database.collection('jobs').countDocuments()).toBe(before + made);
  expect(stage.validation.reads - readsBefore, 'a refused creation reads no market').toBeLessThanOrEqual(made);
  await create();
});
