import type { RunningStack } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FaultyNetwork } from '../support/faulty-network.ts';
import { keepLogs } from '../support/keep-logs.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { Actor } from './actor.ts';

/** Transfers of one wei to the job's wallet in each second. */
const FLOODS = [20, 100, 500] as const;
/** Delay of the database in each direction, as between zones, ms. */
const DATABASE_MS = 3;
/** Pays for 275 orders, about one a second. */
const BUDGET = '0.3';
const WINDOW_SECONDS = 300;
const MEASURED_SECONDS = 45;
/** Least share of the orders that a job without dust places. */
const KEPT = 0.9;

const OF_ONE_SENDER = 8;
const AT_ONCE = 16;
const FLOOR_WEI = 100_000_000n;
const LONGEST_MS = 1_800_000;

let running: RunningStack;
let product: ProductClient;
let database: FaultyNetwork | undefined;

beforeAll(async () => {
  running = await startOwnStack(
    WINDOW_SECONDS,
    { 'api-gateway': { RATE_LIMIT_REQUESTS: '1000000' } },
    {},
    {
      clock: { blockMs: 1000, secondsPerBlock: 0 },
      async reach(server, port) {
        if (server !== 'mongod') return port;
        database = await FaultyNetwork.before(port);
        database.set({ kind: 'latency', ms: DATABASE_MS });
        return database.port;
      },
    },
  );
  product = new ProductClient({ ...running.stack, rpcUrl: running.stack.chainControlUrl });
}, 300_000);

beforeEach(({ onTestFailed }) => onTestFailed(() => keepLogs(running, 'adversary/dust-starvation')));

afterAll(async () => {
  await running?.stop();
  await database?.stop();
});

it('dust to a trading wallet costs it no orders', { timeout: LONGEST_MS }, async () => {
  const { jobId, paymentAddress } = await product.createJob(running.stack.tokens.both, Number(BUDGET));
  await product.pay(paymentAddress, BUDGET);
  const placed = async () => (await product.orders(jobId)).length;
  await until('the first orders', placed, (count) => count > 3, { timeoutMs: LONGEST_MS });
  const quiet = await ordersDuring(jobId, () => seconds(MEASURED_SECONDS));
  const flooded: number[] = [];
  for (const transfers of FLOODS) {
    const senders = await Promise.all(Array.from({ length: Math.ceil(transfers / OF_ONE_SENDER) }, () => flooder()));
    flooded.push(
      await ordersDuring(jobId, async () => {
        const end = (await chainSeconds()) + MEASURED_SECONDS;
        while ((await chainSeconds()) < end) await flood(senders, transfers, paymentAddress as Address);
      }),
    );
  }
  console.log(
    `orders in ${MEASURED_SECONDS} s: ${quiet} without dust; ${FLOODS.map((n, at) => `${flooded[at]} at ${n}`)}`,
  );
  for (const orders of flooded) expect(orders).toBeGreaterThanOrEqual(KEPT * quiet);
  const status = async () => (await product.status(jobId)).status;
  expect(await until('the end', status, (one) => one !== 'active', { timeoutMs: LONGEST_MS })).toBe('completed');
});

/** Orders mined during a task, for each measured second of the chain. */
async function ordersDuring(jobId: string, doing: () => Promise<void>): Promise<number> {
  const from = await product.chain.getBlock();
  await doing();
  const to = await product.chain.getBlock();
  const orders = await product.orders(jobId);
  const within = orders.filter(
    ({ blockNumber = 0 }) => BigInt(blockNumber) > from.number && BigInt(blockNumber) <= to.number,
  );
  return (within.length * MEASURED_SECONDS) / Number(to.timestamp - from.timestamp);
}

async function chainSeconds(): Promise<number> {
  return Number((await product.chain.getBlock()).timestamp);
}

async function seconds(count: number): Promise<void> {
  const end = (await chainSeconds()) + count;
  await until('the chain’s clock', chainSeconds, (now) => now >= end, { timeoutMs: LONGEST_MS });
}

async function flooder(): Promise<Actor> {
  const actor = await Actor.with(running.stack, parseHype('10'));
  await product.control.setUsingBigBlocks(actor.address, true);
  return actor;
}

/** Sends transfers of one wei in one big block, and waits for the next second. */
async function flood(senders: readonly Actor[], transfers: number, to: Address): Promise<void> {
  const from = await chainSeconds();
  for (let first = 0; first < senders.length; first += AT_ONCE) {
    await Promise.all(
      senders.slice(first, first + AT_ONCE).map((sender, index) => {
        const left = transfers - (first + index) * OF_ONE_SENDER;
        const count = Math.min(OF_ONE_SENDER, left);
        return sender.offer(Array.from({ length: count }, () => ({ to, value: 1n, gas: 21_000n, tipWei: 0n })));
      }),
    );
  }
  await product.control.setBaseFee('big', FLOOR_WEI);
  await product.control.mineBigBlock();
  await until('the next second', chainSeconds, (now) => now > from, { timeoutMs: 60_000 });
}
