import type { CreateJobResponse, JobPlan, StopJobResponse } from '@maker/contracts';
import { parseHype, slotsIn } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { blockUse, largestShareOfMinute } from './block-use.ts';
import { atPace, type Pace } from './paced-chain.ts';

/** Budgets of the sixty jobs by the order of payment. The largest takes half of the free capacity, and leaves room for later ones. */
const AMOUNTS = [
  ...Array.from({ length: 20 }, () => '0.25'),
  ...['1000', '1', '0.5'],
  ...Array.from({ length: 35 }, () => '0.25'),
  ...['2', '37.3'],
];
const TOKENS = ['both', 'v2Only', 'v3Only', 'camelotOnly', 'router02Only'] as const;
/** Only jobs with this budget run to their end. The others would take too long: the test checks their pace and stops them. */
const TO_THE_END = '0.25';

/** Instead of a day, in the chain's seconds: the sixty jobs book nearly all of the share. */
const WINDOW_SECONDS = 16_000;
const SHARE = 0.1;
const OFF = 0.1;
const KEPT = 0.95;

const GWEI = 1_000_000_000n;
/** Thousands of orders; no order is allowed; and fewer, merged orders. The remaining jobs' slots are longer than such a block. */
const CHEAP: Pace = { baseFeeWei: GWEI / 10n, secondsPerBlock: 1 };
const TOO_DEAR: Pace = { baseFeeWei: 11n * GWEI, secondsPerBlock: 6 };
const DEAR: Pace = { baseFeeWei: 9n * GWEI, secondsPerBlock: 50 };
/** Chain time: four slots of the slowest checked jobs, a pause in which an order of each falls due, and the burst after it. */
const SECONDS = { begins: 100, tooDear: 90, cheapAgain: 60 };
const JOBS_MS = 3_000_000;
/** Block time while orders do not delay blocks, ms. */
const BLOCK_MS = 250;

interface Run {
  readonly job: CreateJobResponse;
  readonly amount: string;
  /** By the chain's clock. */
  readonly paidAtMs: number;
}

/** A successful order, with the part of the schedule that it represents. */
interface Fill {
  readonly minedAtMs: number;
  readonly slots: number;
}

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  const job = {
    // As deployed, except the limit of one endpoint: the largest job needs 250 requests a minute (docs/runbooks/capacity-booked.md).
    JOB_BLOCK_SHARE_BPS: '1000',
    JOB_ORDER_REQUESTS_PER_MINUTE: '600',
    JOB_PAYMENT_TIMEOUT_SECONDS: '3600',
  };
  ownStack = await startOwnStack(WINDOW_SECONDS, { job });
  product = new ProductClient(ownStack.stack);
}, 120_000);

afterAll(() => ownStack?.stop());

describe('sixty parallel jobs of 0.25 to 1000 HYPE (design § 4a)', () => {
  it('end as planned within their gas share', { timeout: JOBS_MS }, async () => {
    const created: CreateJobResponse[] = [];
    for (const [index, amount] of AMOUNTS.entries()) {
      const token = product.stack.tokens[TOKENS[index % TOKENS.length] as (typeof TOKENS)[number]];
      created.push(await product.createJob(token, Number(amount)));
    }
    logTime('all are created');
    const first = await product.chain.getBlockNumber();
    const runs = await atPace(product, CHEAP, () => paid(created));
    logTime('all are paid');
    await atPace(product, CHEAP, () => passes(SECONDS.begins));
    const longer = runs.filter(({ amount }) => amount !== TO_THE_END);
    const off = new Map<Run, number>();
    for (const run of longer) off.set(run, await paceOff(run));
    await atPace(product, TOO_DEAR, () => passes(SECONDS.tooDear));
    await atPace(product, CHEAP, () => passes(SECONDS.cheapAgain));
    logTime('the pause is over');
    await atPace(product, CHEAP, () => Promise.all(longer.map(stopped)));
    const shorter = runs.filter(({ amount }) => amount === TO_THE_END);
    await atPace(product, DEAR, () => endOfAll(shorter));
    logTime('all have ended');
    for (const run of shorter) off.set(run, await endOff(run));
    await product.control.setBlockInterval(BLOCK_MS);

    const last = await product.chain.getBlockNumber();
    const wallets = runs.map(({ job }) => job.paymentAddress as Address);
    const share = largestShareOfMinute(await blockUse(product, wallets, { first, last }));
    console.log(`largest share of a minute: ${share}`);
    for (const [{ amount }, value] of off) console.log(`${amount} HYPE is off by ${value}`);
    expect(share).toBeLessThanOrEqual(SHARE);
    const kept = [...off.values()].filter((value) => Math.abs(value) <= OFF);
    expect(kept.length / AMOUNTS.length).toBeGreaterThanOrEqual(KEPT);
    for (const { job, amount } of runs)
      expect((await expectProven(product, job.jobId)).rules.paidWei).toBe(`${parseHype(amount)}`);
    logTime('all are proven');
  });
});

const began = Date.now();
function logTime(what: string): void {
  console.log(`${Math.round((Date.now() - began) / 1000)} s: ${what}`);
}

async function paid(created: readonly CreateJobResponse[]): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const [index, job] of created.entries()) {
    const amount = AMOUNTS[index] as string;
    const { blockNumber } = await product.pay(job.paymentAddress, amount);
    const { timestamp } = await product.chain.getBlock({ blockNumber });
    runs.push({ job, amount, paidAtMs: Number(timestamp) * 1000 });
  }
  return runs;
}

/** Waits until so many seconds of the chain have passed. */
async function passes(seconds: number): Promise<void> {
  const { timestamp } = await product.chain.getBlock();
  await until(
    `${seconds} seconds of the chain`,
    () => product.chain.getBlock(),
    (block) => block.timestamp >= timestamp + BigInt(seconds),
    { timeoutMs: JOBS_MS, everyMs: 500 },
  );
}

async function endOfAll(runs: readonly Run[]): Promise<void> {
  for (const { job } of runs) {
    const { status } = await product.ended(job.jobId, { timeoutMs: JOBS_MS, everyMs: 2000 });
    expect(status).toBe('completed');
  }
}

/** Duration of an ended job's orders divided by its plan's, minus one. */
async function endOff(run: Run): Promise<number> {
  const { plan, fills } = await trading(run);
  const planned = Date.parse(plan.expectedEndAt) - Date.parse(plan.startsAt);
  return ((fills.at(-1)?.minedAtMs ?? 0) - run.paidAtMs) / planned - 1;
}

/** The same for a running job, by the schedule of its first orders. */
async function paceOff(run: Run): Promise<number> {
  const { plan, fills } = await trading(run);
  const [first, last] = [fills[0], fills.at(-1)];
  const slots = fills.slice(0, -1).reduce((sum, fill) => sum + fill.slots, 0);
  console.log(`${run.amount} HYPE: ${fills.length} orders in slots of ${plan.slotMs / 1000} s`);
  return ((last?.minedAtMs ?? 0) - (first?.minedAtMs ?? 0)) / (slots * plan.slotMs) - 1;
}

async function trading({ job }: Run): Promise<{ readonly plan: JobPlan; readonly fills: readonly Fill[] }> {
  const { plan } = await product.status(job.jobId);
  if (!plan) throw new Error('the job has no plan');
  const orders = await product.orders(job.jobId);
  const fills = orders
    .filter(({ status }) => status === 'mined' || status === 'final')
    .map(({ minedAt, tradeWei }) => ({ minedAtMs: Date.parse(minedAt ?? ''), slots: slotsIn(BigInt(tradeWei)) }))
    .sort((one, other) => one.minedAtMs - other.minedAtMs);
  return { plan, fills };
}

async function stopped({ job: { jobId, stopSecret } }: Run): Promise<void> {
  // Sixty requests together: those that time out are sent again, as by the page.
  await until(
    'the answer to a stop',
    () => product.call<StopJobResponse>('POST', `/jobs/${jobId}/stop`, { stopSecret }),
    ({ status }) => status === 200,
    { everyMs: 1000 },
  );
  await product.ended(jobId, { timeoutMs: 300_000 });
}
