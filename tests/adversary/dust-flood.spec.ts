import type { RunningStack } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { keepLogs } from '../support/keep-logs.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { readingOf } from '../support/readings.ts';
import { until } from '../support/until.ts';
import { Actor } from './actor.ts';

/** Deposits of one wei each; `ADVERSARY_DUST` overrides it. */
const DUST = Number(process.env.ADVERSARY_DUST ?? 2000);
const JOBS = 100;
const PAID = '0.15';
/** Jobs expire during a large flood: the product decides on their deposits then. */
const DEADLINE_SECONDS = '240';

/** Limits of the mempool for one sender, and of a big block with a margin. Source: hyperevm § 1. */
const OF_ONE_SENDER = 8;
const OF_ONE_BLOCK = 1200;
/** Senders that call the node in parallel. */
const AT_ONCE = 16;

/** As on HyperEVM, so that three blocks are three seconds. */
const ONE_BLOCK_A_SECOND = { blockMs: 1000, secondsPerBlock: 0 };
const SEEN_WITHIN_BLOCKS = 3;
/** One of them is the confirmation. */
const PAID_WITHIN_BLOCKS = 8;

/** Largest memory of a service, bytes. Node's own heap limit is far above. */
const MOST_MEMORY = 700 * 1024 * 1024;

const LONGEST_MS = 3_600_000;
const FLOOR_WEI = 100_000_000n;

let running: RunningStack;
let product: ProductClient;

beforeAll(async () => {
  const environment = {
    job: {
      JOB_PAYMENT_TIMEOUT_SECONDS: DEADLINE_SECONDS,
      MINIMUM_PAYMENT_HYPE: PAID,
      JOB_MOST_UNPAID_JOBS_PER_CLIENT: '1000',
    },
    'api-gateway': { RATE_LIMIT_REQUESTS: '1000000' },
  };
  running = await startOwnStack(40, environment, {}, { clock: ONE_BLOCK_A_SECOND });
  product = new ProductClient({ ...running.stack, rpcUrl: running.stack.chainControlUrl });
}, 300_000);

beforeEach(({ onTestFailed }) => onTestFailed(() => keepLogs(running, 'adversary/dust-flood')));

afterAll(() => running?.stop());

it(`${DUST} dust deposits to ${JOBS} jobs delay no payment`, { timeout: LONGEST_MS }, async () => {
  const addresses: Address[] = [];
  while (addresses.length < JOBS) {
    const { paymentAddress } = await product.createJob(running.stack.tokens.both, Number(PAID));
    addresses.push(paymentAddress as Address);
  }
  const visits: Visit[] = [];
  const memory: number[] = [];
  const senders = await Promise.all(
    Array.from({ length: Math.ceil(Math.min(DUST, OF_ONE_BLOCK) / OF_ONE_SENDER) }, () => flooder()),
  );
  let isOver = false;
  const began = Date.now();
  const flood = dust(senders, addresses).finally(() => {
    isOver = true;
  });
  do {
    visits.push(await visit());
    report(visits.at(-1), began);
    memory.push(await largestService());
  } while (!isOver);
  await flood;
  visits.push(await visit());
  const balances = await Promise.all(addresses.map((address) => product.chain.getBalance({ address })));
  expect(
    balances.reduce((sum, wei) => sum + wei, 0n),
    'dust that came',
  ).toBe(BigInt(DUST));
  const worst = (of: (visit: Visit) => number) => Math.max(...visits.map(of));
  console.log(
    `${DUST} deposits in ${Math.round((Date.now() - began) / 1000)} s for ${DUST * 21_000} gas; ${visits.length} visitors’ payments were seen within ` +
      `${worst(({ seenAfter }) => seenAfter)} blocks and activated their job within ${worst(({ paidAfter }) => paidAfter)}; ` +
      `largest service ${Math.round(Math.max(...memory) / 1024 / 1024)} MiB`,
  );
  expect(worst(({ seenAfter }) => seenAfter)).toBeLessThanOrEqual(SEEN_WITHIN_BLOCKS);
  expect(worst(({ paidAfter }) => paidAfter)).toBeLessThanOrEqual(PAID_WITHIN_BLOCKS);
  expect(Math.max(...memory)).toBeLessThan(MOST_MEMORY);
  for (const service of ['payment-watcher', 'job', 'maker-executor'] as const) {
    expect(
      await readingOf(running.stack.ops[service], 'maker_outbox_set_aside_messages'),
      `too large a message of ${service}`,
    ).toBe(0);
    expect(await readingOf(running.stack.ops[service], 'maker_events_parked_messages')).toBe(0);
  }
});

/** Prints the time of a slow visit, to find it in the logs. */
function report(visit: Visit | undefined, began: number): void {
  if (!visit || visit.seenAfter <= SEEN_WITHIN_BLOCKS) return;
  console.log(`${Math.round((Date.now() - began) / 1000)} s after the start: seen within ${visit.seenAfter} blocks`);
}

/** Blocks from a visitor's payment until the API shows it, and until the job is active. */
interface Visit {
  readonly seenAfter: number;
  readonly paidAfter: number;
}

async function visit(): Promise<Visit> {
  const { jobId, paymentAddress } = await product.createJob(running.stack.tokens.both, Number(PAID));
  const { blockNumber } = await product.pay(paymentAddress, PAID);
  const payment = () => product.payment(jobId);
  const patience = { timeoutMs: LONGEST_MS, everyMs: 100 };
  await until('a payment', payment, (job) => BigInt(job.waitingWei ?? job.receivedWei) > 0n, patience);
  const seenAt = await product.chain.getBlockNumber();
  await until('the job of a payment', payment, ({ status }) => status !== 'pending_payment', patience);
  const paidAt = await product.chain.getBlockNumber();
  return { seenAfter: Number(seenAt - blockNumber), paidAfter: Number(paidAt - blockNumber) };
}

async function flooder(): Promise<Actor> {
  const actor = await Actor.with(running.stack, parseHype('10'));
  await product.control.setUsingBigBlocks(actor.address, true);
  return actor;
}

/** Sends dust in big blocks at the lowest gas price: the cheapest possible flood. */
async function dust(senders: readonly Actor[], addresses: readonly Address[]): Promise<void> {
  let sent = 0;
  const sendGroup = (sender: Actor) => {
    const from = sent;
    sent = Math.min(DUST, sent + OF_ONE_SENDER);
    const sendings = Array.from({ length: sent - from }, (_, index) => ({
      to: addresses[(from + index) % addresses.length] as Address,
      value: 1n,
      gas: 21_000n,
      tipWei: 0n,
    }));
    return sender.offer(sendings);
  };
  while (sent < DUST) {
    for (let first = 0; first < senders.length; first += AT_ONCE)
      await Promise.all(senders.slice(first, first + AT_ONCE).map(sendGroup));
    await product.control.setBaseFee('big', FLOOR_WEI);
    await product.control.mineBigBlock();
  }
}

/** Memory of the largest service, bytes. */
async function largestService(): Promise<number> {
  const services = ['payment-watcher', 'job', 'maker-executor'] as const;
  return Math.max(
    ...(await Promise.all(
      services.map((service) => readingOf(running.stack.ops[service], 'process_resident_memory_bytes')),
    )),
  );
}
