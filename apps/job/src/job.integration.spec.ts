import { randomUUID } from 'node:crypto';
import {
  changeReturnAddress,
  checkRecipient,
  createJob,
  type EventContract,
  executionCancelCommanded,
  executionCompleted,
  executionFailed,
  executionPaused,
  findKnownDeposits,
  findUsedAddresses,
  fundsReleased,
  getJobPayment,
  getJobPayments,
  getJobStatus,
  getJobTimeline,
  getStats,
  JOB_CHANGES_SUBJECT,
  type JobChanges,
  listJobs,
  listOperatorActions,
  type MarketFactsMessage,
  makePlan,
  paymentDeadlinePassed,
  paymentDropped,
  paymentReceived,
  paymentSeen,
  readMarket,
  recordOperatorAction,
  refundHeld,
  refundPaid,
  stopJob,
  surplusFound,
  transferSettled,
  type ValidateTokenResponse,
} from '@maker/contracts';
import { type MongoPart, type NatsPart, startMongo, startNats } from '@maker/local-stack';
import {
  connectionOptions,
  EventConsumer,
  HandleRequest,
  NATS_CONNECTION,
  RequestClient,
  RequestFailure,
} from '@maker/messaging';
import { startServer, transactionsOf } from '@maker/messaging/testing';
import { Connection } from '@maker/persistence';
import { parseHype } from '@maker/rules';
import { createLogger, MetricsRegistry, parseConfiguration } from '@maker/service-kit';
import { deriveAddress } from '@maker/signing/derivation';
import type { NatsConnection } from '@nats-io/transport-node';
import { Controller, type DynamicModule, type INestMicroservice, Module, type Type } from '@nestjs/common';
import { mongo as driver } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { jobEnvironment } from './configuration.ts';
import { BeginJobsService, type BegunJob } from './create-job/begin-jobs.service.ts';
import { DepositsRepository } from './deposit/deposits.repository.ts';
import { CapacityRepository } from './job/capacity.repository.ts';
import { JobStatisticsRepository } from './job/job-statistics.repository.ts';
import { jobModule } from './job.module.ts';
import { marketFixture, TEST_XPUB } from './plan/market.fixture.ts';
import { PlansService } from './plan/plans.service.ts';

const XPUB = TEST_XPUB;
/** Known to everybody. */
const FIRST_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TOKEN = `0x${'1'.repeat(40)}` as const;
const PAYER = `0x${'3'.repeat(40)}`;
const ROUTER = `0x${'c1'.repeat(20)}`;
const CONTRACT = `0x${'c2'.repeat(20)}`;
const HALF = parseHype('0.5').toString();
/** Longer than anything here takes on a busy machine, ms. */
const RUN_MS = 120_000;

let verdict: ValidateTokenResponse;
let market: MarketFactsMessage;
let refusal: RequestFailure | undefined;
let validations = 0;

@Controller()
class TokenValidationDouble {
  @HandleRequest(readMarket)
  market() {
    validations += 1;
    if (refusal) throw refusal;
    return { verdict, ...(verdict.isValid && { market }) };
  }

  @HandleRequest(checkRecipient)
  recipient({ address }: { address: string }) {
    if (address === ROUTER) return { problem: 'what is sent there is lost', isContract: true };
    return { isContract: address === CONTRACT };
  }

  @HandleRequest(findUsedAddresses)
  findUsed(): { used: string[] } {
    return { used: [] };
  }
}

@Module({ controllers: [TokenValidationDouble] })
class TokenValidationDoubleModule {}

/** What of MongoDB's figures counts here. */
interface ServerStatus {
  readonly opcounters: { readonly query: number; readonly insert: number; readonly update: number };
}

let mongo: MongoPart;
let broker: NatsPart;
let service: INestMicroservice;
let validation: INestMicroservice;
let client: RequestClient;
let database: Connection;

const listen = (name: string, module: Type | DynamicModule): Promise<INestMicroservice> =>
  startServer(module, { ...connectionOptions(name, { NATS_URL: [broker.url] }), queue: name });

beforeAll(async () => {
  [mongo, broker] = await Promise.all([startMongo(), startNats()]);
  const configuration = parseConfiguration(jobEnvironment, {
    OPS_HOST: '127.0.0.1',
    OPS_PORT: '0',
    MONGO_URL: mongo.urlOf('job'),
    NATS_URL: broker.url,
    JOB_ACCOUNT_XPUB: XPUB,
    // The jobs of these tests never end, and must not run out of it.
    JOB_ORDER_REQUESTS_PER_MINUTE: '100000',
    JOB_BLOCK_SHARE_BPS: '10000',
    JOB_MOST_UNPAID_JOBS_PER_CLIENT: '3',
    JOB_CANARY_API_KEY_NAME: 'canary',
  });
  validation = await listen('token-validation', TokenValidationDoubleModule);
  service = await listen('job', jobModule(configuration, createLogger('job', 'silent')));
  client = service.get(RequestClient, { strict: false });
  database = service.get(Connection, { strict: false });
  // The broker may hear of a request before it has heard of who answers it.
  const answered = () => client.request(getStats, {}).then(Boolean, () => false);
  await vi.waitUntil(answered, { timeout: 10_000 });
});

afterAll(async () => {
  await service?.close();
  await validation?.close();
  await Promise.all([mongo?.stop(), broker?.stop()]);
});

beforeEach(() => {
  refusal = undefined;
  market = marketFixture();
  verdict = {
    isValid: true,
    liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
    checkedAtBlock: { number: 1, at: new Date().toISOString() },
  };
});

const create = (differences: Partial<z.input<typeof createJob.request>> = {}) =>
  client.request(createJob, { tokenAddress: TOKEN, paymentAmountWei: HALF, apiKeyName: 'web', ...differences });

const rows = (collection: string, filter: Record<string, unknown>) =>
  database.collection(collection).find(filter).toArray();

const eventTypes = async (jobId: string) => (await rows('outbox', { jobId })).map((row) => row.type).sort();

/** Delivers an event of another service, as JetStream and the recovery both do. */
const deliver = <Data extends z.ZodType>(
  contract: EventContract<string, Data>,
  jobId: string,
  data: z.input<Data>,
  id: string = randomUUID(),
) =>
  service
    .get(EventConsumer, { strict: false })
    .process({ id, type: contract.type, version: 1, occurredAt: new Date().toISOString(), jobId, data });

/** Who commanded a cancellation. */
const BY = { operators: ['anna'] };

const deposit = (differences: Partial<z.input<typeof paymentReceived.data>> = {}) => ({
  depositId: randomUUID(),
  amountWei: HALF,
  kind: 'transfer' as const,
  from: PAYER,
  blockNumber: 5,
  blockAt: new Date().toISOString(),
  ...differences,
});

const completion = {
  ordersPlaced: 600,
  tradedWei: '1',
  gasWei: '1',
  feeWei: '1',
  deliveredTokens: '1',
  returnedWei: '1',
};

describe('job.create', () => {
  it('derives the next address and records its event', async () => {
    const first = await create();
    const second = await create();
    expect(first.paymentAddress).toBe(FIRST_ADDRESS);
    expect(second.paymentAddress).toBe(deriveAddress(XPUB, 1));
    expect(first).toMatchObject({ paymentAmount: 0.5, paymentAmountWei: HALF });
    expect(await eventTypes(first.jobId)).toEqual(['job.created']);
    expect(await rows('audit_entries', { jobId: first.jobId })).toMatchObject([{ action: 'job.created' }]);
  });

  it('gives 15 minutes from the chain’s time if later', async () => {
    const chainTimeMs = Date.now() + 3_600_000;
    verdict = { ...verdict, checkedAtBlock: { number: 9, at: new Date(chainTimeMs).toISOString() } };
    const { paymentDeadline } = await create();
    expect(Date.parse(paymentDeadline)).toBe(chainTimeMs + 15 * 60_000);
  });

  it('rejects a token that is not tradable, creating nothing', async () => {
    verdict = { ...verdict, isValid: false, errorMessage: 'This token takes a fee on transfer' };
    const before = await database.collection('jobs').countDocuments();
    await expect(create()).rejects.toMatchObject({
      code: 'TOKEN_NOT_TRADABLE',
      message: 'This token takes a fee on transfer',
    });
    expect(await database.collection('jobs').countDocuments()).toBe(before);
  });

  it('rejects amounts outside 0.25 to 1000 HYPE first', async () => {
    const before = validations;
    for (const hype of ['0.249', '1000.1']) {
      const attempt = create({ paymentAmountWei: parseHype(hype).toString() });
      await expect(attempt).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' });
    }
    expect(validations).toBe(before);
  });

  it('rejects a job wallet as return address', async () => {
    const { paymentAddress } = await create();
    const before = await database.collection('jobs').countDocuments();
    await expect(create({ returnAddress: paymentAddress.toLowerCase() })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('payment address of a job'),
    });
    expect(await database.collection('jobs').countDocuments()).toBe(before);
  });

  it('falls back to the minimum-liquidity sentence (specification § 8)', async () => {
    verdict = { ...verdict, isValid: false };
    await expect(create()).rejects.toThrow('Token does not meet minimum liquidity requirements');
  });

  it('passes on that token-validation could not answer', async () => {
    refusal = new RequestFailure('SERVICE_UNAVAILABLE', 'no chain');
    await expect(create()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('answers a repeated idempotency key with the first job', async () => {
    const key = randomUUID();
    const first = await create({ idempotencyKey: key });
    verdict = { ...verdict, isValid: false };
    const { stopSecret, ...again } = await create({ idempotencyKey: key });
    expect(again).toEqual({ ...first, stopSecret: undefined });
    expect(stopSecret).not.toBe(first.stopSecret);
    expect(await eventTypes(first.jobId)).toEqual(['job.created']);
  });

  it('rejects a reused key with another body', async () => {
    const key = randomUUID();
    const first = await create({ idempotencyKey: key });
    const other = create({ idempotencyKey: key, paymentAmountWei: parseHype('1').toString() });
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const another = await create({ idempotencyKey: key, apiKeyName: 'partner' });
    expect(another.jobId).not.toBe(first.jobId);
  });

  /** Reads, inserts and updates that mongod has done. */
  const commands = async (): Promise<number> => {
    const { opcounters } = (await database.getClient().db().admin().serverStatus()) as never as ServerStatus;
    return opcounters.query + opcounters.insert + opcounters.update;
  };

  it('makes one job of 50 concurrent twins', async () => {
    const key = randomUUID();
    const before = await database.collection('jobs').countDocuments();
    const commandsBefore = await commands();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ idempotencyKey: key })));
    expect(new Set(answers.map(({ jobId }) => jobId)).size).toBe(1);
    expect(await database.collection('jobs').countDocuments()).toBe(before + 1);
    expect((await commands()) - commandsBefore).toBeLessThan(30);
  });

  it('gives concurrent jobs addresses of their own without a gap', async () => {
    await Promise.all(Array.from({ length: 30 }, () => create()));
    const jobs = await database.collection('jobs').find().sort({ walletIndex: 1 }).toArray();
    expect(jobs.map((job) => job.walletIndex)).toEqual(jobs.map((_, index) => index));
    for (const job of jobs) expect(job.paymentAddress).toBe(deriveAddress(XPUB, job.walletIndex));
  });
});

describe('the plan of a job (design § 4a)', () => {
  const plan = () => client.request(makePlan, { tokenAddress: TOKEN, paymentAmountWei: HALF });
  const activated = async (jobId: string) => (await rows('outbox', { jobId, type: 'job.activated' }))[0]?.data;

  it('is shown before creation, with it and in the status', async () => {
    const before = await database.collection('jobs').countDocuments();
    const asked = await plan();
    expect(asked).toMatchObject({ feeWei: parseHype('0.15').toString(), orders: { count: 625 }, warnings: [] });
    expect(await database.collection('jobs').countDocuments()).toBe(before);
    const created = await create();
    expect(created.plan).toMatchObject({ orders: asked.orders, purchase: asked.purchase });
    expect((await client.request(getJobStatus, { jobId: created.jobId })).plan).toEqual(created.plan);
    expect(await client.request(getJobPayment, { jobId: created.jobId })).not.toHaveProperty('plan');
  });

  it('is made anew for the payment, keeping the price', async () => {
    const { jobId, plan: seen } = await create();
    market = marketFixture(1000n);
    refusal = new RequestFailure('SERVICE_UNAVAILABLE', 'no chain');
    await deliver(paymentReceived, jobId, deposit({ amountWei: parseHype('0.8').toString() }));
    const { plan: held } = await client.request(getJobStatus, { jobId });
    expect(held).toMatchObject({ depositWei: parseHype('0.8').toString(), purchase: { exchange: 'hyperswap-v2' } });
    expect(held?.purchase.seenPriceX96).toBe(seen?.purchase.seenPriceX96);
    expect(await activated(jobId)).toMatchObject({
      plan: { slotMs: held?.slotMs, latestEndAt: held?.latestEndAt, seenPriceX96: held?.purchase.seenPriceX96 },
    });
    expect(await rows('markets', { _id: jobId as never })).toEqual([]);
  });

  it('explains a refused amount like the creation does', async () => {
    market = marketFixture(3000n, { pools: [] });
    const before = await database.collection('jobs').countDocuments();
    const refused = { code: 'TOKEN_NOT_TRADABLE', message: 'No pool of this token can take an order at the moment' };
    await expect(plan()).rejects.toMatchObject(refused);
    await expect(create()).rejects.toMatchObject(refused);
    expect(await database.collection('jobs').countDocuments()).toBe(before);
  });

  it('books its pace until the job ends', async () => {
    const capacity = service.get(CapacityRepository, { strict: false });
    const before = await capacity.booked();
    const jobs = await Promise.all(Array.from({ length: 6 }, () => create()));
    await Promise.all(jobs.map(({ jobId }) => deliver(paymentReceived, jobId, deposit())));
    const each = jobs.map(
      async ({ jobId }) => (await rows('jobs', { _id: jobId as never }))[0]?.booked.requestsPerHour,
    );
    const booked = (await Promise.all(each)).reduce((sum, one) => sum + BigInt(one), before.requestsPerHour);
    expect((await capacity.booked()).requestsPerHour).toBe(booked);
    for (const { jobId } of jobs) await deliver(executionCompleted, jobId, completion);
    expect(await capacity.booked()).toEqual(before);
  });

  it('ends when shown, though others booked nearly everything', async () => {
    const lasts = ({ startsAt, latestEndAt }: { startsAt: string; latestEndAt: string }) =>
      Date.parse(latestEndAt) - Date.parse(startsAt);
    const { jobId } = await create();
    const { plan: shown } = await client.request(getJobStatus, { jobId });
    const others: string[] = [];
    // Each gets half of what is free.
    while (others.length < 5) {
      const other = await create();
      await deliver(paymentReceived, other.jobId, deposit({ amountWei: parseHype('1000').toString() }));
      others.push(other.jobId);
    }
    await expect(plan()).rejects.toMatchObject({ code: 'NO_CAPACITY' });
    await deliver(paymentReceived, jobId, deposit());
    const { plan: held } = await client.request(getJobStatus, { jobId });
    expect(held && lasts(held)).toBe(shown && lasts(shown));
    for (const ended of [...others, jobId]) await deliver(executionCompleted, ended, completion);
  });

  it('refuses new jobs when booked out, takes paid ones', async () => {
    const paid = await create();
    // A chain whose blocks hold next to nothing stands for one that is booked.
    market = marketFixture(3000n, { blockGas: '100' });
    const late = await create().catch((error: unknown) => error);
    expect(late).toMatchObject({ code: 'NO_CAPACITY', message: expect.stringContaining('booked') });
    await deliver(paymentReceived, paid.jobId, deposit());
    expect(await client.request(getJobPayment, { jobId: paid.jobId })).toMatchObject({ status: 'active' });
    const metrics = await service.get(MetricsRegistry, { strict: false }).metrics();
    expect(metrics).toContain('maker_job_refusals_total{reason="capacity"} 1');
    expect(metrics).toMatch(/maker_job_booked_ratio\{resource="gas"\} 0\.\d+/);
  });
});

describe('limits of unpaid jobs', () => {
  const clientAddress = '203.0.113.7';
  const limited = { code: 'TOO_MANY_OPEN_JOBS', message: expect.stringContaining('3 jobs from your address') };

  it('limit a client, end with payment, keep no address', async () => {
    const before = await database.collection('jobs').countDocuments();
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => create({ clientAddress })));
    const made = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(made).toHaveLength(3);
    expect(await database.collection('jobs').countDocuments()).toBe(before + 3);
    await expect(create({ clientAddress })).rejects.toMatchObject(limited);
    await create({ clientAddress: '203.0.113.8' });
    const { jobId } = made[0] as { jobId: string };
    await deliver(paymentReceived, jobId, deposit());
    const [paid] = await rows('jobs', { _id: jobId as never });
    expect(paid).not.toHaveProperty('clientAddress');
    await create({ clientAddress });
    const metrics = await service.get(MetricsRegistry, { strict: false }).metrics();
    expect(metrics).toMatch(/maker_job_refusals_total\{reason="unpaid"\} [6-9]/);
  });
});

it('creates nothing for a caller that gave up', async () => {
  const before = await database.collection('jobs').countDocuments();
  const late = { tokenAddress: TOKEN, paymentAmountWei: HALF, apiKeyName: 'web' };
  const attempts = Array.from({ length: 20 }, () => client.request(createJob, late, 1).catch(() => undefined));
  await Promise.all(attempts);
  await create();
  expect(await database.collection('jobs').countDocuments()).toBe(before + 1);
});

it(
  'answers each of 2,000 creations with a job or refusal',
  async () => {
    const before = await database.collection('jobs').countDocuments();
    const askedBefore = validations;
    const creation = { tokenAddress: TOKEN, paymentAmountWei: HALF, apiKeyName: 'web' };
    // Who asks waits however long it takes: no answer is lost, and each job that is made has one.
    const ask = (index: number) =>
      client.request(createJob, { ...creation, clientAddress: `203.0.${index >> 8}.${index & 255}` }, RUN_MS);
    const attempts = await Promise.allSettled(Array.from({ length: 2000 }, (_, index) => ask(index)));
    const made = attempts.filter(({ status }) => status === 'fulfilled').length;
    const codes = attempts.flatMap((end) => (end.status === 'rejected' ? [(end.reason as { code: string }).code] : []));
    expect(made).toBeGreaterThan(0);
    expect([...new Set(codes)].filter((code) => code !== 'OVERLOADED')).toEqual([]);
    expect(await database.collection('jobs').countDocuments()).toBe(before + made);
    expect(validations - askedBefore, 'nobody is asked for those who are refused').toBeLessThanOrEqual(made);
    await create();
  },
  RUN_MS,
);

describe('what a creation costs', () => {
  const began = ['find counters', 'update counters'];
  const written = ['insert jobs', 'insert markets', 'insert audit_entries', 'insert outbox', 'commitTransaction'];

  it('is one transaction, and the bound holds', async () => {
    await create();
    expect(await transactionsOf(database, () => create())).toEqual([...began, ...written]);
  });

  it('is one transaction for concurrent creations', async () => {
    const offer = await service.get(PlansService, { strict: false }).offer(TOKEN, BigInt(HALF));
    const beginning = service.get(BeginJobsService, { strict: false });
    const { paymentAddress: wallet } = await create();
    const key = randomUUID();
    const begin = (differences: { key?: string; hash?: string; returnAddress?: string } = {}) =>
      beginning.begin({
        request: {
          tokenAddress: TOKEN,
          paymentAmountWei: BigInt(HALF),
          ...(differences.returnAddress && { returnAddress: differences.returnAddress }),
        },
        claim: differences.key
          ? { apiKeyName: 'web', key: differences.key, requestHash: differences.hash ?? 'same' }
          : undefined,
        offer,
        command: { apiKeyName: 'web' },
      });
    let ends: PromiseSettledResult<BegunJob>[] = [];
    const commands = await transactionsOf(database, async () => {
      ends = await Promise.allSettled([
        ...Array.from({ length: 30 }, () => begin()),
        begin({ key }),
        begin({ returnAddress: wallet.toLowerCase() }),
      ]);
    });
    expect(commands).toEqual(['find counters', 'find jobs', 'find jobs', 'update counters', ...written]);
    const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.job] : []));
    expect(made).toHaveLength(31);
    expect(ends.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'INVALID_REQUEST' } });
    const first = made[0]?.walletIndex ?? 0;
    expect(made.map(({ walletIndex }) => walletIndex)).toEqual(made.map((_, index) => first + index));
    const kept = await rows('jobs', { _id: { $in: made.map(({ jobId }) => jobId) } as never });
    expect(kept).toHaveLength(31);
    const twins = await Promise.allSettled([begin({ key }), begin({ key, hash: 'other' })]);
    expect(twins).toMatchObject([
      { status: 'fulfilled', value: { job: { jobId: made.at(-1)?.jobId } } },
      { status: 'rejected', reason: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    ]);
  });

  it('creates no second job after an unknown commit', async () => {
    const offer = await service.get(PlansService, { strict: false }).offer(TOKEN, BigInt(HALF));
    const beginning = service.get(BeginJobsService, { strict: false });
    const request = { tokenAddress: TOKEN, paymentAmountWei: BigInt(HALF) };
    const before = await database.collection('jobs').countDocuments();
    const startSession = database.startSession.bind(database);
    const spy = vi.spyOn(database, 'startSession').mockImplementation(async () => {
      const session = await startSession();
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        throw new driver.MongoError('the answer was lost');
      };
      return session;
    });
    const begin = () => beginning.begin({ request, claim: undefined, offer, command: { apiKeyName: 'web' } });
    const ends = await Promise.allSettled([begin(), begin(), begin()]);
    spy.mockRestore();
    expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(
      Array.from({ length: 3 }, () => 'the answer was lost'),
    );
    expect(await database.collection('jobs').countDocuments()).toBe(before + 3);
    // Of which no metric tells.
    const [oldest] = await rows('jobs', {}).then((all) =>
      all.toSorted((a, b) => b.walletIndex - a.walletIndex).slice(2),
    );
    await database.collection('jobs').deleteMany({ walletIndex: { $gte: oldest?.walletIndex } });
  });

  it('makes one query and one plan for equal requests', async () => {
    const before = validations;
    const plans = service.get(PlansService, { strict: false });
    await Promise.all(Array.from({ length: 30 }, () => plans.offer(TOKEN, BigInt(HALF))));
    await Promise.all([plans.offer(TOKEN, BigInt(HALF)), plans.offer(TOKEN, parseHype('1'))]);
    expect(validations - before).toBe(2);
  });
});

describe('a job that its payer stops (design § 4)', () => {
  const stop = (jobId: string, stopSecret = '') => client.request(stopJob, { jobId, stopSecret });

  it('ends orders, settles, and names who stopped', async () => {
    const { jobId, stopSecret } = await create();
    await deliver(paymentReceived, jobId, deposit());
    const first = await stop(jobId, stopSecret);
    expect(first).toMatchObject({ status: 'active', outcome: expect.stringContaining('No further order') });
    expect(await stop(jobId, stopSecret)).toEqual(first);
    expect(await rows('outbox', { jobId, type: 'job.cancel_requested' })).toHaveLength(1);
    expect((await client.request(getJobStatus, { jobId })).stopRequestedAt).toBeDefined();
    const message = 'the job was cancelled';
    await deliver(executionFailed, jobId, { reason: 'cancelled', message, ordersPlaced: 3, returnedWei: '5' });
    const ended = { status: 'cancelled', failureReason: 'The payer stopped this job' };
    expect(await client.request(getJobStatus, { jobId })).toMatchObject(ended);
    expect(await stop(jobId, stopSecret)).toMatchObject({ status: 'cancelled' });
  });

  it('cancels immediately before payment and returns later money', async () => {
    const { jobId, stopSecret } = await create();
    expect(await stop(jobId, stopSecret)).toMatchObject({ status: 'cancelled' });
    await deliver(paymentReceived, jobId, deposit());
    expect(await eventTypes(jobId)).toEqual(['deposit.return_due', 'job.created', 'job.status_changed']);
  });

  it('accepts each creation’s secret and stores only hashes', async () => {
    const idempotencyKey = randomUUID();
    const first = await create({ idempotencyKey });
    const again = await create({ idempotencyKey });
    await deliver(paymentReceived, first.jobId, deposit());
    expect(await create({ idempotencyKey })).not.toHaveProperty('stopSecret');
    const [row] = await rows('jobs', { _id: first.jobId as never });
    expect(JSON.stringify(row)).not.toContain('stop_');
    expect(JSON.stringify(await rows('outbox', { jobId: first.jobId }))).not.toContain('stop_');
    expect(await stop(first.jobId, first.stopSecret)).toEqual(await stop(first.jobId, again.stopSecret));
  });

  it('rejects a wrong secret like an unknown job', async () => {
    const { jobId } = await create();
    const { stopSecret: another } = await create();
    const wrong = await stop(jobId, another).catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: 'FORBIDDEN', message: 'This secret does not stop this job' });
    expect(await stop(`job_${'0'.repeat(32)}`, another).catch((error: unknown) => error)).toEqual(wrong);
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({ status: 'pending_payment' });
  });
});

describe('a return address that is named', () => {
  const OWN = `0x${'b1'.repeat(20)}`;
  const change = (jobId: string, stopSecret = '', rest: object = { returnAddress: OWN }) =>
    client.request(changeReturnAddress, { jobId, stopSecret, ...rest } as never);

  it('rejects an address that cannot return money', async () => {
    await expect(create({ returnAddress: ROUTER })).rejects.toMatchObject({ code: 'RETURN_ADDRESS_REFUSED' });
    await expect(create({ returnAddress: `0x${'0'.repeat(36)}dEaD` })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('is a contract only where the payer says so', async () => {
    await expect(create({ returnAddress: CONTRACT })).rejects.toMatchObject({ code: 'RETURN_ADDRESS_IS_CONTRACT' });
    await expect(create({ returnAddress: CONTRACT, returnAddressIsContract: true })).resolves.toBeDefined();
  });

  it('can be added by private link until payment', async () => {
    const { jobId, stopSecret } = await create();
    expect(await change(jobId, stopSecret)).toEqual({ returnAddress: OWN });
    await deliver(paymentReceived, jobId, deposit());
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ returnAddress: OWN });
    await expect(change(jobId, stopSecret)).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
    const told = await rows('audit_entries', { jobId, action: 'job.return_address_changed' });
    expect(told).toMatchObject([{ details: { returnAddress: OWN } }]);
  });

  it('is noted while the payer is unknown, until release', async () => {
    const { jobId, stopSecret } = await create();
    await deliver(paymentReceived, jobId, deposit({ kind: 'internal', from: undefined }));
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({ status: 'active', payerUnknown: true });
    expect(await change(jobId, stopSecret)).toEqual({ returnAddress: OWN, awaitsOperator: true });
    await expect(change(jobId, stopSecret, { returnAddress: ROUTER })).rejects.toMatchObject({
      code: 'RETURN_ADDRESS_REFUSED',
    });
    const { job } = await client.request(getJobTimeline, { jobId });
    expect(job).toMatchObject({ proposedReturnAddress: OWN, returnAddress: null });
    const told = await rows('audit_entries', { jobId, action: 'job.return_address_proposed' });
    expect(told).toMatchObject([{ details: { returnAddress: OWN } }]);
    await deliver(executionCompleted, jobId, { ...completion, heldReason: 'no return address is known' });
    await deliver(fundsReleased, jobId, { to: OWN, amountWei: '5', returnIds: [] });
    const released = await client.request(getJobPayment, { jobId });
    expect(released).not.toHaveProperty('payerUnknown');
    expect(released).not.toHaveProperty('proposedReturnAddress');
    await expect(change(jobId, stopSecret)).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
  });

  it('cannot change without the secret or to a dead end', async () => {
    const { jobId, stopSecret, paymentAddress } = await create();
    const refuses = (changed: Promise<unknown>, code: string) => expect(changed).rejects.toMatchObject({ code });
    await refuses(change(jobId, `stop_${'x'.repeat(32)}`), 'FORBIDDEN');
    await refuses(change(`job_${'0'.repeat(32)}`, stopSecret), 'FORBIDDEN');
    await refuses(change(jobId, stopSecret, { returnAddress: ROUTER }), 'RETURN_ADDRESS_REFUSED');
    await refuses(change(jobId, stopSecret, { returnAddress: paymentAddress }), 'INVALID_REQUEST');
    await refuses(change(jobId, stopSecret, { returnAddress: CONTRACT }), 'RETURN_ADDRESS_IS_CONTRACT');
    const known = { returnAddress: CONTRACT, returnAddressIsContract: true };
    expect(await change(jobId, stopSecret, known)).toEqual({ returnAddress: CONTRACT });
  });
});

describe('payment', () => {
  it('answers for many jobs and leaves out unknown ones', async () => {
    const [{ jobId: one }, { jobId: other }] = [await create(), await create()];
    const jobIds = [other, `job_${'0'.repeat(32)}`, one];
    expect((await client.request(getJobPayments, { jobIds })).payments).toEqual({
      [one]: await client.request(getJobPayment, { jobId: one }),
      [other]: await client.request(getJobPayment, { jobId: other }),
    });
  });

  it('activates once, with the payer as return address', async () => {
    const { jobId, paymentAddress } = await create();
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'pending_payment',
      paymentReceived: false,
    });
    const payment = deposit();
    await deliver(paymentReceived, jobId, payment);
    await deliver(paymentReceived, jobId, payment);
    await deliver(paymentReceived, jobId, deposit({ from: `0x${'9'.repeat(40)}` }));
    const view = await client.request(getJobPayment, { jobId });
    expect(view).toMatchObject({ status: 'active', paymentReceived: true, flags: { overpaid: true } });
    expect(BigInt(view.receivedWei)).toBe(2n * BigInt(HALF));
    const ofActivation = ['job.activated', 'job.created', 'job.status_changed'];
    expect(await eventTypes(jobId)).toEqual(['deposit.return_due', ...ofActivation]);
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ walletAddress: paymentAddress, depositWei: HALF, returnAddress: PAYER });
  });

  it('holds contract money without a return address', async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, deposit({ kind: 'internal' }));
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ returnAddress: null });
  });

  it('returns dust and takes no payer from it', async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, deposit({ amountWei: '1' }));
    await deliver(paymentReceived, jobId, deposit({ kind: 'internal', from: undefined }));
    const [activated] = await rows('outbox', { jobId, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ depositWei: HALF, returnAddress: null });
    const [due] = await rows('outbox', { jobId, type: 'deposit.return_due' });
    expect(due?.data).toMatchObject({ amountWei: '1', to: PAYER });
  });

  it('holds joint payments, and credits a sole payer alone', async () => {
    const short = (BigInt(HALF) - 10n).toString();
    const stranger = `0x${'9'.repeat(40)}`;
    const [together, alone] = [(await create()).jobId, (await create()).jobId];
    for (const [jobId, amountWei] of [[together, (BigInt(short) + 1n).toString()] as const, [alone, HALF] as const]) {
      await deliver(paymentReceived, jobId, deposit({ amountWei: short }));
      await deliver(paymentReceived, jobId, deposit({ amountWei, from: stranger }));
    }
    const [held] = await rows('outbox', { jobId: together, type: 'job.activated' });
    expect(held?.data).toMatchObject({ returnAddress: null });
    const [activated] = await rows('outbox', { jobId: alone, type: 'job.activated' });
    expect(activated?.data).toMatchObject({ depositWei: HALF, returnAddress: stranger });
    const [due] = await rows('outbox', { jobId: alone, type: 'deposit.return_due' });
    expect(due?.data).toMatchObject({ amountWei: short, to: PAYER });
  });

  it('expires an unpaid job and returns later deposits once', async () => {
    const { jobId } = await create();
    const passed = { blockNumber: 7, blockAt: new Date().toISOString(), receivedWei: '0' };
    await deliver(paymentDeadlinePassed, jobId, passed);
    await deliver(paymentDeadlinePassed, jobId, passed);
    await deliver(paymentReceived, jobId, deposit({ blockAt: new Date(Date.now() + 3_600_000).toISOString() }));
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'payment_expired',
      paymentReceived: false,
      lateWei: HALF,
      flags: { late: true },
    });
    expect(await eventTypes(jobId)).toEqual(['deposit.return_due', 'job.created', 'job.status_changed']);
  });

  it('waits for timely money in any message order', async () => {
    const { jobId } = await create();
    await deliver(paymentDeadlinePassed, jobId, {
      blockNumber: 7,
      blockAt: new Date().toISOString(),
      receivedWei: HALF,
    });
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({ status: 'pending_payment' });
    await deliver(paymentReceived, jobId, deposit());
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({ status: 'active' });
  });

  it('credits every part of concurrent deposits', async () => {
    const { jobId } = await create();
    const part = (BigInt(HALF) / 10n).toString();
    await Promise.all(Array.from({ length: 10 }, () => deliver(paymentReceived, jobId, deposit({ amountWei: part }))));
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({ status: 'active', receivedWei: HALF });
  });
});

it('credits dust without reading earlier deposits', async () => {
  const { jobId } = await create();
  const read = vi.spyOn(service.get(DepositsRepository, { strict: false }), 'ofJob');
  for (let count = 0; count < 5; count += 1) await deliver(paymentReceived, jobId, deposit({ amountWei: '1' }));
  await deliver(executionCancelCommanded, jobId, BY);
  for (let count = 0; count < 5; count += 1) await deliver(paymentReceived, jobId, deposit({ amountWei: '1' }));
  expect(await client.request(getJobPayment, { jobId })).toMatchObject({ status: 'cancelled', receivedWei: '10' });
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

describe('a payment that a reorganisation takes back (design § 4)', () => {
  const timelineOf = async (jobId: string) =>
    (await client.request(getJobTimeline, { jobId })).timeline.map(({ action }) => action);
  const returnsDue = (jobId: string) => rows('outbox', { jobId, type: 'deposit.return_due' });

  it('is uncounted until it is back in a block', async () => {
    const { jobId } = await create();
    const half = deposit({ amountWei: parseHype('0.25').toString() });
    await deliver(paymentReceived, jobId, half);
    await deliver(paymentDropped, jobId, half);
    await deliver(paymentDropped, jobId, half);
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({
      status: 'pending_payment',
      receivedWei: '0',
      droppedWei: half.amountWei,
      flags: { underpaid: false },
    });
    await deliver(paymentReceived, jobId, half);
    await deliver(paymentReceived, jobId, { ...half, occurrence: 2, blockNumber: 9 });
    const view = await client.request(getJobPayment, { jobId });
    expect(view).toMatchObject({ receivedWei: half.amountWei, flags: { underpaid: true } });
    expect(view.droppedWei).toBeUndefined();
    expect(await timelineOf(jobId)).toEqual(['job.created', 'deposit.credited', 'deposit.dropped', 'deposit.restored']);
  });

  it('expires the job when its payment was dropped', async () => {
    const { jobId } = await create();
    const some = deposit({ amountWei: '5' });
    await deliver(paymentDropped, jobId, some);
    await deliver(paymentDeadlinePassed, jobId, { ...passedAt(), receivedWei: '5' });
    await deliver(paymentReceived, jobId, some);
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({ status: 'payment_expired' });
    expect(await returnsDue(jobId)).toEqual([]);
  });

  it('pays again when back, or returns after the end', async () => {
    const { jobId } = await create();
    const payment = deposit();
    await deliver(paymentReceived, jobId, payment);
    await deliver(paymentDropped, jobId, payment);
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({ status: 'active', droppedWei: HALF });
    await deliver(paymentReceived, jobId, { ...payment, occurrence: 2 });
    expect(await returnsDue(jobId)).toEqual([]);
    await deliver(paymentDropped, jobId, { ...payment, occurrence: 2 });
    await deliver(executionFailed, jobId, { reason: 'cancelled', message: 'x', ordersPlaced: 0, returnedWei: '0' });
    expect(await returnsDue(jobId)).toEqual([]);
    await deliver(paymentReceived, jobId, { ...payment, occurrence: 3 });
    expect(await returnsDue(jobId)).toMatchObject([{ data: { amountWei: HALF, to: PAYER } }]);
    const types = await eventTypes(jobId);
    expect(types.filter((type) => type === 'job.activated')).toHaveLength(1);
  });

  it('is late when mined again after the deadline', async () => {
    const { jobId } = await create();
    const part = deposit({ amountWei: '5' });
    await deliver(paymentReceived, jobId, part);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await deliver(paymentReceived, jobId, { ...part, occurrence: 2, blockNumber: 99, blockAt: later });
    expect(await client.request(getJobPayment, { jobId })).toMatchObject({ receivedWei: '0', lateWei: '5' });
    expect(await timelineOf(jobId)).toEqual(['job.created', 'deposit.credited', 'deposit.moved']);
  });

  it('is returned once after an earlier empty return', async () => {
    const { jobId } = await create();
    await deliver(paymentDeadlinePassed, jobId, { ...passedAt(), receivedWei: '0' });
    const late = deposit({ amountWei: '5', blockAt: new Date(Date.now() + 3_600_000).toISOString() });
    await deliver(paymentReceived, jobId, late);
    const [first] = await returnsDue(jobId);
    await deliver(paymentDropped, jobId, late);
    const absent = { returnId: first?.data.returnId, amountWei: '5', reason: 'it is not there', absent: true as const };
    await deliver(refundHeld, jobId, absent);
    await deliver(paymentReceived, jobId, { ...late, occurrence: 2 });
    expect(await returnsDue(jobId)).toHaveLength(2);
    expect((await client.request(getJobStatus, { jobId })).returns).toMatchObject([{ status: 'due', amountWei: '5' }]);
    const { depositIds, returnIds } = await client.request(findKnownDeposits, {
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

describe('the end of a job', () => {
  const activeJob = async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, deposit());
    return jobId;
  };

  it('is completed with its execution, and stays so', async () => {
    const jobId = await activeJob();
    await deliver(executionCompleted, jobId, completion);
    await deliver(executionFailed, jobId, { reason: 'technical', message: 'late', ordersPlaced: 1, returnedWei: '0' });
    const status = await client.request(getJobStatus, { jobId });
    expect(status).toMatchObject({ status: 'completed', paymentReceived: true, tokenAddress: TOKEN });
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
    expect(await client.request(getJobStatus, { jobId })).toMatchObject({ status, failureReason: 'The pool ran dry' });
  });

  it('does not complete a job that was never paid', async () => {
    const { jobId } = await create();
    await deliver(executionCompleted, jobId, completion);
    expect(await client.request(getJobStatus, { jobId })).toMatchObject({ status: 'pending_payment' });
  });
});

describe('money that pays for no order (design § 4)', () => {
  const passed = { blockNumber: 7, blockAt: new Date().toISOString(), receivedWei: '5' };
  const transactionHash = `0x${'e'.repeat(64)}`;
  const returnsDue = async (jobId: string) =>
    (await rows('outbox', { jobId, type: 'deposit.return_due' })).map(({ data }) => data);
  const expiredJob = async (differences: Partial<z.input<typeof paymentReceived.data>> = {}) => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, deposit({ amountWei: '5', ...differences }));
    await deliver(paymentDeadlinePassed, jobId, passed);
    return jobId;
  };

  it('returns an underpayment and reports the return', async () => {
    const jobId = await expiredJob();
    const [due] = await returnsDue(jobId);
    expect(due).toMatchObject({ to: PAYER, amountWei: '5', activated: false });
    expect((await client.request(getJobStatus, { jobId })).returns).toEqual([
      { amountWei: '5', status: 'due', to: PAYER },
    ]);
    const returned = { returnId: due.returnId, amountWei: '5', to: PAYER, returnedWei: '3', transactionHash };
    await deliver(refundPaid, jobId, { ...returned, withTheRest: false });
    await deliver(refundHeld, jobId, { returnId: due.returnId, amountWei: '5', reason: 'came too late' });
    expect((await client.request(getJobStatus, { jobId })).returns).toEqual([
      { amountWei: '5', status: 'returned', to: PAYER, returnedWei: '3', transactionHash },
    ]);
  });

  it('holds a contract’s deposit with the reason', async () => {
    const amountWei = parseHype('0.01').toString();
    const jobId = await expiredJob({ kind: 'internal', from: undefined, amountWei });
    const [due] = await returnsDue(jobId);
    expect(due).toMatchObject({ to: null, holdReason: expect.stringMatching(/contract/) });
    await deliver(refundHeld, jobId, { returnId: due.returnId, amountWei, reason: due.holdReason });
    const { returns } = await client.request(getJobStatus, { jobId });
    expect(returns).toEqual([{ amountWei, status: 'held', reason: due.holdReason }]);
  });

  it('never goes to another job’s wallet', async () => {
    const other = await create();
    const jobId = await expiredJob({ from: other.paymentAddress });
    expect((await returnsDue(jobId))[0]).toMatchObject({ to: null });
  });

  it('is credited once when only the ledger shows it', async () => {
    const { jobId } = await create({ returnAddress: `0x${'8'.repeat(40)}` });
    await deliver(paymentReceived, jobId, deposit());
    await deliver(executionCompleted, jobId, completion);
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
      to: PAYER,
      status: 'due',
      createdAt: new Date(index),
    }));
    await database.collection('returns').insertMany(refunds);
    const { returns } = await client.request(getJobStatus, { jobId });
    expect(returns?.map(({ amountWei }) => amountWei)).toEqual(refunds.slice(50).map(({ amountWei }) => amountWei));
    await database.collection('returns').deleteMany({ jobId });
  });

  it('returns very many deposits in separate parts', async () => {
    const { jobId } = await create();
    for (let count = 0; count < 120; count += 1) await deliver(paymentReceived, jobId, deposit({ amountWei: '1' }));
    await deliver(executionCancelCommanded, jobId, BY);
    const due = await returnsDue(jobId);
    expect(due.map(({ amountWei }) => amountWei)).toEqual(['100', '20']);
    expect(new Set(due.flatMap(({ depositIds }) => depositIds)).size).toBe(120);
  });

  it('claims each deposit once under concurrency', async () => {
    const jobId = await expiredJob();
    await Promise.all(Array.from({ length: 10 }, () => deliver(paymentReceived, jobId, deposit({ amountWei: '1' }))));
    const due = await returnsDue(jobId);
    expect(due.reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n)).toBe(15n);
    const claims = due.flatMap(({ depositIds }) => depositIds);
    expect(new Set(claims).size).toBe(11);
  });
});

describe('operators (design § 4)', () => {
  it('shows a job’s timeline in order', async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, deposit());
    await deliver(executionPaused, jobId, { reason: 'gas_guardrail' });
    const fee = { kind: 'fee' as const, succeeded: true, transactionHash: `0x${'e'.repeat(64)}`, to: PAYER };
    await deliver(transferSettled, jobId, { ...fee, amount: '7', gasWei: '1', blockNumber: 9 });
    await deliver(executionCompleted, jobId, completion);
    const { timeline, job } = await client.request(getJobTimeline, { jobId });
    expect(job).toMatchObject({ status: 'completed', walletIndex: expect.any(Number), returnAddress: PAYER });
    expect(timeline.map(({ action }) => action)).toEqual([
      'job.created',
      'deposit.credited',
      'job.status_changed',
      'execution.paused',
      'transfer.settled',
      'job.status_changed',
    ]);
    expect(timeline[1]?.details).toMatchObject({ amountWei: HALF, inTime: true, underpaid: false, from: PAYER });
    expect(timeline[4]?.details).toMatchObject({ kind: 'fee', amount: '7' });
  });

  it('list jobs newest first, by status and page', async () => {
    const first = await create();
    const second = await create();
    const { jobs } = await client.request(listJobs, { status: 'pending_payment', limit: 2 });
    expect(jobs.map(({ jobId }) => jobId)).toEqual([second.jobId, first.jobId]);
    const page = await client.request(listJobs, { before: jobs[1]?.createdAt ?? '', limit: 1 });
    expect(page.jobs[0]?.jobId).not.toBe(first.jobId);
  });

  it('cancels an unpaid job immediately, an active one settled', async () => {
    const unpaid = (await create()).jobId;
    await deliver(paymentReceived, unpaid, deposit({ amountWei: '5' }));
    await deliver(executionCancelCommanded, unpaid, BY);
    expect(await client.request(getJobStatus, { jobId: unpaid })).toMatchObject({
      status: 'cancelled',
      returns: [{ status: 'due', to: PAYER }],
    });
    await deliver(executionCancelCommanded, unpaid, BY);
    expect(await client.request(getJobStatus, { jobId: unpaid })).toMatchObject({ status: 'cancelled' });

    const active = (await create()).jobId;
    await deliver(paymentReceived, active, deposit());
    await deliver(executionCancelCommanded, active, BY);
    expect(await client.request(getJobStatus, { jobId: active })).toMatchObject({ status: 'active' });
    expect(await rows('outbox', { jobId: active, type: 'job.cancel_requested' })).toHaveLength(1);
    const end = {
      reason: 'cancelled' as const,
      message: 'the job was cancelled',
      ordersPlaced: 3,
      returnedWei: '5',
    };
    await deliver(executionFailed, active, end);
    const cancelled = { status: 'cancelled', failureReason: 'An operator cancelled this job' };
    expect(await client.request(getJobStatus, { jobId: active })).toMatchObject(cancelled);
  });

  it('records every command before and after it', async () => {
    const { jobId } = await create();
    const command = {
      actionId: randomUUID(),
      action: 'pause' as const,
      jobId,
      operator: 'anna',
      reason: 'price looks odd',
    };
    await client.request(recordOperatorAction, { ...command, kind: 'ordered' });
    await client.request(recordOperatorAction, { ...command, kind: 'done', outcome: 'nothing is signed' });
    const { actions } = await client.request(listOperatorActions, { limit: 2 });
    expect(actions).toMatchObject([
      { ...command, kind: 'done', outcome: 'nothing is signed' },
      { ...command, kind: 'ordered' },
    ]);
    const { timeline } = await client.request(getJobTimeline, { jobId });
    expect(timeline.at(-1)).toMatchObject({
      action: 'operator.pause',
      cause: 'api key anna',
      details: { kind: 'done', reason: 'price looks odd' },
    });
    const query = {
      actionId: randomUUID(),
      kind: 'looked_up' as const,
      action: 'show' as const,
      jobId,
      operator: 'bob',
    };
    await client.request(recordOperatorAction, query);
    expect((await client.request(listOperatorActions, { limit: 1 })).actions).toMatchObject([query]);
    expect((await client.request(getJobTimeline, { jobId })).timeline).toEqual(timeline);
    const about = { ...command, jobId: `job_${'0'.repeat(32)}`, actionId: randomUUID(), kind: 'ordered' as const };
    await expect(client.request(recordOperatorAction, about)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});

describe('money that is seen and not yet confirmed', () => {
  const waiting = async (jobId: string) => (await client.request(getJobPayment, { jobId })).waitingWei;

  it('shows from its block until it is credited', async () => {
    const { jobId } = await create();
    expect(await waiting(jobId)).toBeUndefined();
    await deliver(paymentSeen, jobId, { seenWei: HALF, revision: 2 });
    expect(await waiting(jobId)).toBe(HALF);
    await deliver(paymentSeen, jobId, { seenWei: '0', revision: 1 });
    expect(await waiting(jobId)).toBe(HALF);
    expect((await client.request(getJobPayment, { jobId })).status).toBe('pending_payment');
    await deliver(paymentReceived, jobId, deposit());
    expect(await waiting(jobId)).toBeUndefined();
    expect((await client.request(getJobPayment, { jobId })).status).toBe('active');
  });

  it('is written in one transaction of three commands', async () => {
    const { jobId } = await create();
    const kept = ['insert inbox', 'update jobs', 'commitTransaction'];
    expect(await transactionsOf(database, () => deliver(paymentSeen, jobId, { seenWei: HALF, revision: 1 }))).toEqual(
      kept,
    );
    const unknown = `job_${'0'.repeat(32)}`;
    await expect(deliver(paymentSeen, unknown, { seenWei: HALF, revision: 1 })).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
  });

  it('disappears with its block, but not after credit', async () => {
    const dropped = (await create()).jobId;
    await deliver(paymentSeen, dropped, { seenWei: HALF, revision: 1 });
    await deliver(paymentSeen, dropped, { seenWei: '0', revision: 2 });
    expect(await waiting(dropped)).toBeUndefined();
    const overtaken = (await create()).jobId;
    await deliver(paymentReceived, overtaken, deposit());
    await deliver(paymentSeen, overtaken, { seenWei: HALF, revision: 1 });
    expect(await waiting(overtaken)).toBeUndefined();
  });
});

describe('the feed of changes (docs/adr/0031)', () => {
  /** Everything that was told while something was done, and half a second after it. */
  async function told(work: () => Promise<unknown>): Promise<JobChanges[]> {
    const messages: JobChanges[] = [];
    const connection = service.get<NatsConnection>(NATS_CONNECTION, { strict: false });
    const subscription = connection.subscribe(JOB_CHANGES_SUBJECT, {
      callback: (_, message) => {
        messages.push(message.json());
      },
    });
    await vi.waitUntil(() => messages.length > 0, { timeout: 10_000 });
    await work();
    const { length } = messages;
    await vi.waitUntil(() => messages.length > length + 2, { timeout: 10_000 });
    subscription.unsubscribe();
    return messages;
  }

  it('names each rewritten job and its status change', async () => {
    let jobId = '';
    const creation = await told(async () => {
      jobId = (await create()).jobId;
    });
    const about = (messages: readonly JobChanges[]) => messages.filter(({ jobIds }) => jobIds.includes(jobId));
    expect(about(creation)).toEqual([]);
    const seen = await told(() => deliver(paymentSeen, jobId, { seenWei: '1', revision: 1 }));
    expect(about(seen)).toMatchObject([{ statusChanged: false }]);
    const paid = await told(() => deliver(paymentReceived, jobId, deposit()));
    expect(about(paid)).toMatchObject([{ statusChanged: true }]);
  });

  it('numbers messages without a gap and sends heartbeats', async () => {
    const messages = await told(async () => undefined);
    const [first] = messages;
    expect(messages.map(({ feed, sequence }) => ({ feed, sequence }))).toEqual(
      messages.map((_, index) => ({ feed: first?.feed, sequence: (first?.sequence ?? 0) + index })),
    );
    expect(messages.flatMap(({ jobIds }) => jobIds)).toEqual([]);
    expect(messages.some(({ upToDate, ageMs = Number.NaN }) => upToDate && ageMs < 250)).toBe(true);
  });
});

describe('queries', () => {
  it('refuse an unknown job', async () => {
    const jobId = `job_${'0'.repeat(32)}`;
    await expect(client.request(getJobPayment, { jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(client.request(getJobStatus, { jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('count active jobs and name the latest paid token', async () => {
    const { jobs } = await client.request(getStats, {});
    const latest = `0x${'7'.repeat(40)}` as const;
    const { jobId } = await create({ tokenAddress: latest });
    await deliver(paymentReceived, jobId, deposit());
    await create({ tokenAddress: `0x${'6'.repeat(40)}` });
    expect(await client.request(getStats, {})).toEqual({
      jobs: { active: jobs.active + 1 },
      latestJob: { tokenAddress: latest },
    });
  });

  it('name no token that only the canary paid for (docs/adr/0035)', async () => {
    const before = await client.request(getStats, {});
    const { jobId } = await create({
      tokenAddress: `0x${'5'.repeat(40)}`,
      apiKeyName: 'canary',
      idempotencyKey: 'canary-part-1',
    });
    await deliver(paymentReceived, jobId, deposit());
    const { jobs, latestJob } = await client.request(getStats, {});
    // It is a real job all the same.
    expect(jobs.active).toBe(before.jobs.active + 1);
    expect(latestJob).toEqual(before.latestJob);
  });

  it('expose what is stored and committed as metrics', async () => {
    const metrics = await service.get(MetricsRegistry, { strict: false }).metrics();
    const active = (await client.request(getStats, {})).jobs.active;
    const transitions = await database.collection('audit_entries').countDocuments({ to: 'completed' });
    expect(metrics).toContain(`maker_job_transitions_total{from="active",to="completed"} ${transitions}`);
    expect(metrics).toContain(`maker_job_created_total ${await database.collection('jobs').countDocuments()}`);
    expect(metrics).toContain(
      `maker_job_deposits_total{kind="transfer"} ${await database.collection('deposits').countDocuments({ kind: 'transfer' })}`,
    );
    expect(metrics).toMatch(new RegExp(`maker_job_jobs\\{status="active"\\} ${active}`));
  });

  it('show unclaimed and late money', async () => {
    const TENTH = parseHype('0.1').toString();
    const statistics = service.get(JobStatisticsRepository, { strict: false });
    const before = await statistics.read();
    const unclaimed = async (reason: 'never_activated' | 'after_end') =>
      ((await statistics.read()).unclaimedWei.get(reason) ?? 0) - (before.unclaimedWei.get(reason) ?? 0);
    const deadlinePassed = { blockNumber: 9, blockAt: new Date().toISOString() };

    const underpaid = (await create()).jobId;
    await deliver(paymentReceived, underpaid, deposit({ amountWei: TENTH }));
    expect(await unclaimed('never_activated')).toBe(0);
    await deliver(paymentDeadlinePassed, underpaid, { ...deadlinePassed, receivedWei: TENTH });
    expect(await unclaimed('never_activated')).toBeCloseTo(1e17, -3);

    const ended = (await create()).jobId;
    await deliver(paymentReceived, ended, deposit());
    await deliver(executionFailed, ended, { reason: 'technical', message: 'm', ordersPlaced: 0, returnedWei: '0' });
    const nextDay = new Date(Date.now() + 86_400_000).toISOString();
    await deliver(paymentReceived, ended, deposit({ amountWei: TENTH, blockAt: nextDay }));
    expect(await unclaimed('after_end')).toBeCloseTo(1e17, -3);
    expect((await statistics.read()).flagged.get('underpaid')).toBe((before.flagged.get('underpaid') ?? 0) + 1);
  });
});
