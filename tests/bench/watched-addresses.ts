import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type RpcRequest, scanBlocks, WatchedAddresses } from '@maker/chain';
import { HYPEREVM_CLOCK, localNetwork, type RunningStack } from '@maker/local-stack';
import { MongoClient } from 'mongodb';
import { type Address, createPublicClient, http } from 'viem';
import { UNSEEN_WATCH } from '../../apps/payment-watcher/src/watch/unseen-watch.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { readingOf } from '../support/readings.ts';
import { compareBalanceReaders } from './balance-readers.ts';
import { BlockMoments, heightOf } from './block-moments.ts';
import { type Effort, type Figure, median, quantile } from './figure.ts';

const FEW = 100;
/** A poll interval and a margin: the first poll after a start stores what later ones do not, so it is not measured. */
const SETTLED_MS = 30_000;
/** Too little to activate a job, too much to be dust. */
const PART_OF_A_PAYMENT = '0.05';
const AN_HOUR_MS = 3_600_000;
/** Blocks until a follower of the chain knows its rhythm; the stack's watcher already does. */
const RHYTHM_BLOCKS = 30;
/** viem's default for a network without a block time, such as its HyperEVM. */
const VIEM_POLLS_MS = 4000;

/** Results for a number of watched addresses. */
interface Watching {
  /** Time from a payment's block to the watcher's record of it, ms. */
  readonly lagsMs: readonly number[];
  /** Time from the block to the payment in a scanner's consumer that writes nothing, ms. */
  readonly scannedMs: readonly number[];
  /** The same for viem's `watchBlocks`, ms. */
  readonly viemMs: readonly number[];
  readonly callsPerBlock: number;
  readonly cpuMsPerBlock: number;
}

/**
 * Delay between a payment's block and the watcher's record, against viem's way to follow blocks; its cost with many addresses instead
 * of a few; and the watcher's reader of balances against Multicall3. On a chain of one block a second.
 */
export async function measureWatchedAddresses({ rounds, watched, payments, seconds }: Effort): Promise<Figure[]> {
  const running = await startOwnStack(60, {}, {}, { clock: HYPEREVM_CLOCK });
  const moments = new BlockMoments(running.stack.rpcUrl);
  const settle = () => wait(Math.min(SETTLED_MS, seconds * 8000));
  try {
    const product = new ProductClient(running.stack);
    await watchMore(running, FEW - payments);
    await settle();
    const few = await watching(running, product, moments, payments);
    await watchMore(running, watched - FEW);
    await running.restart('payment-watcher');
    await settle();
    const many = await watching(running, product, moments, payments);
    return [
      seen('found by the scanner, p50', 0.5, 1 / 130, few.scannedMs, few, rounds),
      seen('found by the scanner, p99', 0.99, 1 / 50, few.scannedMs, few, rounds),
      seen('in the watcher’s records, p50', 0.5, 1 / 130, few.lagsMs, few, rounds),
      seen('in the watcher’s records, p99', 0.99, 1 / 50, few.lagsMs, few, rounds),
      ...grown(few, many, watched),
      ...(await compareBalanceReaders(running.stack, rounds)),
    ];
  } finally {
    moments.stop();
    await running.stop();
  }
}

function seen(
  name: string,
  share: number,
  atMost: number,
  oursMs: readonly number[],
  { viemMs }: Watching,
  rounds: number,
): Figure {
  const each = Math.ceil(viemMs.length / rounds);
  const of = (values: readonly number[], round: number) =>
    quantile(values.slice(round * each, (round + 1) * each), share);
  const ratios = Array.from({ length: rounds }, (_, round) => of(oursMs, round) / of(viemMs, round));
  return {
    name: `a block with a payment → ${name}`,
    peer: '`watchBlocks` of viem as it is by default',
    ratios,
    mustReach: { atMost },
    behind: `${Math.round(quantile(oursMs, share))} of ${Math.round(quantile(viemMs, share))} ms`,
  };
}

function grown(few: Watching, many: Watching, watched: number): Figure[] {
  const row = (name: string, pick: (watching: Watching) => number, unit: string): Figure => ({
    name: `${name}, ${watched} addresses`,
    peer: `the same, ${FEW} addresses`,
    ratios: [pick(many) / pick(few)],
    mustReach: { atMost: 1.2 },
    behind: `${pick(many).toFixed(1)} of ${pick(few).toFixed(1)}${unit}`,
  });
  return [
    row('from a block with a payment to the record of it', ({ lagsMs }) => median(lagsMs), ' ms'),
    row('the slowest of these', ({ lagsMs }) => Math.max(...lagsMs), ' ms'),
    row('CPU of the watcher a block', ({ cpuMsPerBlock }) => cpuMsPerBlock, ' ms'),
    row('requests of the watcher a block', ({ callsPerBlock }) => callsPerBlock, ''),
  ];
}

/** Pays jobs one after another, and measures when each follower finds the payment. */
async function watching(
  { stack }: RunningStack,
  product: ProductClient,
  moments: BlockMoments,
  payments: number,
): Promise<Watching> {
  const addresses: string[] = [];
  for (let count = 0; count < payments; count += 1) {
    addresses.push((await product.createJob(stack.tokens.both, 0.5)).paymentAddress.toLowerCase());
  }
  const ours = new Map<string, number>();
  const scanned = new Map<string, number>();
  const viems = new Map<string, number>();
  const mongo = new MongoClient(stack.mongoUrl, { directConnection: true });
  const deposits = mongo.db('payment_watcher').collection<{ address: string }>('deposits').watch();
  deposits.on('change', (change) => {
    if (change.operationType === 'insert') ours.set(change.fullDocument.address, performance.now());
  });
  // From here on events report its results.
  await once(deposits);
  const viem = createPublicClient({
    chain: localNetwork(stack.rpcUrl),
    transport: http(stack.rpcUrl),
    pollingInterval: VIEM_POLLS_MS,
  });
  const began = Promise.withResolvers<void>();
  const unwatch = viem.watchBlocks({
    includeTransactions: true,
    emitOnBegin: true,
    emitMissed: true,
    onBlock: ({ transactions }) => {
      began.resolve();
      for (const { to } of transactions) if (to) viems.set(to.toLowerCase(), performance.now());
    },
  });
  // It reports blocks after its first one.
  await began.promise;
  const leaving = new AbortController();
  const rhythm = Promise.withResolvers<void>();
  const following = follow(stack.rpcUrl, addresses, scanned, { rhythm, signal: leaving.signal });
  try {
    await Promise.race([rhythm.promise, following]);
    const cost = async () => ({
      calls: await readingOf(stack.ops['payment-watcher'], 'maker_rpc_requests_total'),
      cpu: await readingOf(stack.ops['payment-watcher'], 'process_cpu_seconds_total'),
      height: await heightOf(stack.rpcUrl),
    });
    const before = await cost();
    const blockOf = new Map<string, number>();
    for (const address of addresses) {
      blockOf.set(address, Number((await product.pay(address, PART_OF_A_PAYMENT)).blockNumber));
    }
    const after = await cost();
    await wait(2 * VIEM_POLLS_MS);
    const lags = (learned: ReadonlyMap<string, number>) =>
      addresses.map((address) => (learned.get(address) ?? Number.NaN) - moments.of(blockOf.get(address) ?? -1));
    const blocks = after.height - before.height;
    return {
      lagsMs: lags(ours),
      scannedMs: lags(scanned),
      viemMs: lags(viems),
      callsPerBlock: (after.calls - before.calls) / blocks,
      cpuMsPerBlock: ((after.cpu - before.cpu) * 1000) / blocks,
    };
  } finally {
    unwatch();
    leaving.abort();
    await following;
    await deposits.close();
    await mongo.close();
  }
}

/** Follows the chain as the watcher does, and records when it finds a payment. */
async function follow(
  rpcUrl: string,
  addresses: readonly string[],
  found: Map<string, number>,
  { rhythm, signal }: { readonly rhythm: PromiseWithResolvers<void>; readonly signal: AbortSignal },
): Promise<void> {
  // Requests a missing block again when it is due, without viem's retries.
  const { request } = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) });
  const watched = new WatchedAddresses();
  for (const address of addresses) watched.add(address as Address);
  let blocks = 0;
  for await (const event of scanBlocks({ request: request as RpcRequest, watched, after: [], signal })) {
    if (event.kind !== 'block') continue;
    blocks += 1;
    if (blocks === RHYTHM_BLOCKS) rhythm.resolve();
    for (const { to } of event.transfers) found.set(to, performance.now());
  }
}

/** A change stream reports changes after its cursor is open. */
async function once(stream: { readonly resumeToken: unknown }): Promise<void> {
  while (!stream.resumeToken) await wait(10);
}

/** Writes rows of unpaid jobs as the watcher does; it finds them when it starts. */
async function watchMore({ stack }: RunningStack, count: number): Promise<void> {
  const mongo = new MongoClient(stack.mongoUrl, { directConnection: true });
  try {
    const scannedFromBlock = await heightOf(stack.rpcUrl);
    const now = Date.now();
    const rows = Array.from({ length: count }, () => ({
      _id: `0x${randomBytes(20).toString('hex')}`,
      jobId: `job_${randomBytes(16).toString('hex')}`,
      createdAt: new Date(now),
      deadlineAt: new Date(now + AN_HOUR_MS),
      ...UNSEEN_WATCH,
      scannedFromBlock,
    }));
    if (rows.length > 0)
      await mongo.db('payment_watcher').collection<(typeof rows)[number]>('watches').insertMany(rows);
  } finally {
    await mongo.close();
  }
}
