import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { FAST_CLOCK, startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { seriesOf } from '../support/readings.ts';
import { until } from '../support/until.ts';
import { type Effort, type Figure, median, sumOf } from './figure.ts';
import { cpuSecondsOf, PARTS, type Part, partOf, processesOf } from './processes.ts';
import { type Block, blocksOf, keepCheap } from './trading-blocks.ts';

const EXECUTORS = [1, 2, 4] as const;
/** Budget of each wallet, HYPE: about two hundred orders. */
const BUDGET = 0.25;
const POLL_MS = 100;
const DONE_MS = 1_200_000;

/** Result of some executors while all wallets traded. */
interface Carried {
  readonly ordersPerSecond: number;
  /** CPU per order of each part, ms. */
  readonly cpuMs: Readonly<Record<Part, number>>;
  /** The stack's share of all processors, of 1. */
  readonly busy: number;
  /** Share of the blocks' gas, of 1. */
  readonly full: number;
  /** Each executor's share of the orders, of 1; the largest first. */
  readonly shares: readonly number[];
}

/**
 * Orders a second of one, two and four executors, on a chain with more room than they can fill and on the same processors as
 * the chain, the database and the other services.
 */
export async function measureExecutors({ rounds, wallets }: Effort): Promise<Figure[]> {
  const rows = new Map<number, Carried[]>(EXECUTORS.map((count) => [count, []]));
  for (let round = 0; round < Math.min(rounds, 2); round += 1) {
    for (const count of EXECUTORS) rows.get(count)?.push(await carry(count, wallets));
  }
  const ones = rows.get(1) ?? [];
  return EXECUTORS.flatMap((count): Figure[] => {
    const some = rows.get(count) ?? [];
    const ratios = (pick: (carried: Carried) => number) =>
      some.map((carried, round) => pick(carried) / pick(ones[round] ?? carried));
    const who = count === 1 ? 'one executor' : `${count} executors`;
    const rate: Figure = {
      name: `orders a second, ${who}`,
      peer: 'one executor',
      ratios: ratios(({ ordersPerSecond }) => ordersPerSecond),
      mustReach: { atLeast: 0.9 },
      behind: rateOf(some),
    };
    const cpu: Figure = {
      name: `CPU of executors an order, ${who}`,
      peer: 'one executor',
      ratios: ratios(({ cpuMs }) => cpuMs.executors),
      mustReach: { atMost: 1.5 },
      behind: cpuOf(some),
    };
    return [rate, cpu];
  });
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

function rateOf(rows: readonly Carried[]): string {
  const middle = (pick: (carried: Carried) => number) => median(rows.map(pick));
  const shares = rows[0]?.shares.map(percent).join(', ');
  return [
    `${middle(({ ordersPerSecond }) => ordersPerSecond).toFixed(1)} a second`,
    `the stack used ${percent(middle(({ busy }) => busy))} of ${availableParallelism()} processors, orders ${percent(middle(({ full }) => full))} of the blocks’ gas`,
    `by executor ${shares}`,
  ].join('; ');
}

function cpuOf(rows: readonly Carried[]): string {
  const each = PARTS.map((part) => `${part} ${median(rows.map(({ cpuMs }) => cpuMs[part])).toFixed(1)}`);
  return `ms an order: ${each.join(', ')}`;
}

async function carry(executors: number, wallets: number): Promise<Carried> {
  // With so short a window, orders are due faster than executors can place them.
  const running = await startOwnStack(1, {}, { 'maker-executor': executors }, { clock: FAST_CLOCK });
  const product = new ProductClient(running.stack);
  const ending = new AbortController();
  const cheap = keepCheap(product, ending.signal);
  const samples = new Samples(product, running.directory);
  const sampling = samples.until(ending.signal);
  try {
    const jobs = [];
    const tokens = [running.stack.tokens.both, running.stack.tokens.v2Only, running.stack.tokens.v3Only];
    for (let wallet = 0; wallet < wallets; wallet += 1) {
      jobs.push(await product.createJob(tokens[wallet % tokens.length] ?? running.stack.tokens.both, BUDGET));
    }
    const first = await product.chain.getBlockNumber();
    for (const { paymentAddress } of jobs) await product.pay(paymentAddress, String(BUDGET));
    for (const { jobId } of jobs) {
      const status = async () => (await product.status(jobId)).status;
      await until(`the end of ${jobId}`, status, (reached) => reached === 'completed', { timeoutMs: DONE_MS });
    }
    const last = await product.chain.getBlockNumber();
    const orders = (await Promise.all(jobs.map(({ jobId }) => product.orders(jobId)))).flat();
    const hashes = new Set(orders.flatMap(({ transactionHash }) => transactionHash ?? []));
    const blocks = await blocksOf(product, hashes, { first, last });
    const placed = await Promise.all(running.stack.replicas['maker-executor'].map(({ ops }) => minedBy(ops)));
    const all = sumOf(placed);
    const shares = placed.map((one) => one / all).toSorted((one, other) => other - one);
    return { ...samples.during(blocks.filter(({ trading }) => trading === wallets)), shares };
  } finally {
    ending.abort();
    await Promise.all([cheap, sampling]);
    await running.stop();
  }
}

async function minedBy(ops: string): Promise<number> {
  const series = await seriesOf(ops, 'maker_order_orders_total');
  return sumOf(series.filter(({ labels }) => labels.includes('mined')).map(({ value }) => value));
}

/** A sample of a moment. */
interface Sample {
  readonly atMs: number;
  readonly block: bigint;
  /** CPU time so far, s. */
  readonly cpu: Readonly<Record<Part, number>>;
}

/** Samples the newest block and the processors' use repeatedly. */
class Samples {
  private readonly all: Sample[] = [];
  private readonly product: ProductClient;
  private readonly directory: string;

  constructor(product: ProductClient, directory: string) {
    this.product = product;
    this.directory = directory;
  }

  async until(signal: AbortSignal): Promise<void> {
    const pids = Object.entries(await processesOf(this.directory));
    while (!signal.aborted) {
      const each = await Promise.all(
        PARTS.map(async (part) => {
          const ours = pids.filter(([name]) => partOf(name) === part).map(([, pid]) => pid);
          return [part, await cpuSecondsOf(ours)] as const;
        }),
      );
      const block = await this.product.chain.getBlockNumber();
      this.all.push({ atMs: performance.now(), block, cpu: Object.fromEntries(each) as Record<Part, number> });
      await wait(POLL_MS);
    }
  }

  /** Work between the first and the last sample within some blocks. */
  during(blocks: readonly Block[]): Omit<Carried, 'shares'> {
    const [from, to] = [blocks[0]?.number ?? 0n, blocks.at(-1)?.number ?? 0n];
    const seen = this.all.filter(({ block }) => block >= from && block <= to);
    const [first, last] = [seen[0], seen.at(-1)];
    if (!first || !last || first.block === last.block) throw new Error('all wallets traded for less than a block');
    const between = blocks.filter(({ number }) => number > first.block && number <= last.block);
    const orders = sumOf(between.map((one) => one.orders));
    const seconds = (last.atMs - first.atMs) / 1000;
    const used = (part: Part) => last.cpu[part] - first.cpu[part];
    const gas = sumOf(between.map((one) => one.gas));
    const limit = sumOf(between.map((one) => one.limit));
    return {
      ordersPerSecond: orders / seconds,
      cpuMs: Object.fromEntries(PARTS.map((part) => [part, (used(part) * 1000) / orders])) as Record<Part, number>,
      busy: sumOf(PARTS.map(used)) / seconds / availableParallelism(),
      full: gas / limit,
    };
  }
}
