import { type Exchange, historyOf, isFirst, type Pool, type PoolPoint, type Query } from '@maker/chain/venues';
import type { Address, PublicClient } from 'viem';
import { lower } from '../file/lower.ts';
import { KeptEvents } from './kept-events.ts';
import { compareMoments, type Moment, momentsOf, type PlacedEvent } from './moments.ts';
import { type LogsClient, readLogs, spansOf } from './read-logs.ts';
import { readTogether } from './read-together.ts';

export type PricesClient = LogsClient & Pick<PublicClient, 'call'>;

/** A pool of the pair, at the beginning of the read blocks, with its events. */
export interface PoolOfJob {
  readonly venue: Exchange;
  /** In lower case. */
  readonly address: Address;
  readonly isWrappedFirst: boolean;
  readonly start: PoolPoint;
  /** In order; only those that decide the state at the orders' moments. */
  readonly events: readonly PlacedEvent[];
}

/** What the reading needs to know. */
export interface PoolsQuestion {
  readonly venues: readonly Exchange[];
  readonly token: Address;
  /** Places of the orders, in ascending order; at least one. */
  readonly orders: readonly [Moment, ...Moment[]];
  /** Blocks that the endpoint searches for events in one request. */
  readonly blocksPerRequest: number;
}

/** Called after each request. */
export type PricesProgress = (readRequests: number, expectedRequests: number) => void;

/** Blocks that HyperEVM's endpoints search for events in one request. Source: hyperevm § 1. */
export const BLOCKS_PER_REQUEST = 50;

/** Fewest requests that look for a pool's last event before the job. */
const LEAST_LOOK_BACK = 20;

/** Readings of a pool until its positions stand still during one. */
const MOST_READINGS = 5;

/** Positions of a pool changed during every reading of its ticks. */
export class PoolsUnsettledError extends Error {
  constructor(pool: Address) {
    super(`the positions of pool ${pool} changed during each of ${MOST_READINGS} readings; try again`);
    this.name = 'PoolsUnsettledError';
  }
}

/** Requests that the reading takes at least: one for pools, one for their state, and the blocks since the first order. */
export function expectedRequests(firstBlock: number, newestBlock: number, blocksPerRequest: number): number {
  return 2 + Math.ceil((newestBlock - firstBlock + 1) / blocksPerRequest);
}

interface FoundPool {
  readonly venue: Exchange;
  readonly pool: Pool;
  readonly address: Address;
  readonly kept: KeptEvents;
}

/**
 * Reads every pool of the token and wrapped HYPE that the factories name: its newest state, and its events since the first order. If a
 * pool traded after the first order, reads its last trade before.
 * @throws the client's error if the endpoint does not answer; PoolsUnsettledError
 */
export async function readPoolsOfJob(
  client: PricesClient,
  question: PoolsQuestion,
  progress: PricesProgress = () => {},
): Promise<readonly PoolOfJob[]> {
  return new PoolsReading(client, question, progress).read();
}

class PoolsReading {
  private requests = 0;
  private expected = 0;
  private readonly moments: readonly Moment[];
  private readonly ownBlocks: ReadonlySet<number>;
  private readonly client: PricesClient;
  private readonly question: PoolsQuestion;
  private readonly progress: PricesProgress;

  constructor(client: PricesClient, question: PoolsQuestion, progress: PricesProgress) {
    this.client = client;
    this.question = question;
    this.progress = progress;
    this.moments = question.orders.flatMap(momentsOf).sort(compareMoments);
    this.ownBlocks = new Set(question.orders.map(({ blockNumber }) => blockNumber));
  }

  async read(): Promise<readonly PoolOfJob[]> {
    const pools = await this.findPools();
    const from = (this.moments[0] as Moment).blockNumber;
    const newest = await this.newestPoints(pools);
    this.expected = expectedRequests(from, newest.blockNumber, this.question.blocksPerRequest);
    await this.scan(pools, from, newest.blockNumber);
    const earlier = await this.lookBack(pools, from);
    const read: PoolOfJob[] = [];
    for (const [index, { venue, pool, address, kept }] of pools.entries()) {
      const point = newest.values[index];
      if (!point) continue;
      const events = [...(earlier.get(address) ?? []), ...kept.all];
      const start = await this.startOf(pools[index] as FoundPool, point, newest.blockNumber, events);
      read.push({ venue, address, isWrappedFirst: isFirst(venue.wrappedNative, pool.token), start, events });
    }
    return read;
  }

  private async findPools(): Promise<readonly FoundPool[]> {
    const { venues, token } = this.question;
    const found = await this.together(venues.map((venue) => historyOf(venue).poolsOf(venue, token)));
    return venues.flatMap((venue, index) =>
      (found.values[index] ?? []).map((pool) => ({
        venue,
        pool,
        address: lower(pool.address),
        kept: new KeptEvents(historyOf(venue).weightOf, this.moments, this.ownBlocks),
      })),
    );
  }

  private newestPoints(pools: readonly FoundPool[]) {
    return this.together(pools.map(({ venue, pool }) => historyOf(venue).newest(venue, pool)));
  }

  /** Reads the events of a span into the pools' kept ones. */
  private async scan(pools: readonly FoundPool[], from: number, to: number): Promise<void> {
    const byAddress = new Map(pools.map((pool) => [pool.address, pool]));
    if (pools.length === 0) return;
    for (const span of spansOf({ from, to }, this.question.blocksPerRequest)) {
      for (const [address, events] of transactionsIn(await this.logs([...byAddress.keys()], span)))
        byAddress.get(address)?.kept.add(events);
    }
  }

  /** The events from the last state before the first order on, for pools that show their state only later. */
  private async lookBack(pools: readonly FoundPool[], from: number) {
    const found = new Map<Address, PlacedEvent[]>();
    const waiting = new Map(pools.filter((pool) => this.needsEarlier(pool)).map((pool) => [pool.address, pool]));
    const size = this.question.blocksPerRequest;
    const most = Math.max(LEAST_LOOK_BACK, this.expected);
    for (let step = 0; step < most && waiting.size > 0; step += 1) {
      const to = from - 1 - step * size;
      if (to < 0) break;
      const logs = await this.logs([...waiting.keys()], { from: Math.max(0, to - size + 1), to });
      for (const [address, { venue }] of waiting) {
        const own = logs.filter((log) => log.address === address);
        const weightOf = historyOf(venue).weightOf;
        found.set(address, [...own, ...(found.get(address) ?? [])]);
        if (own.some((log) => weightOf(log) === 'state')) waiting.delete(address);
      }
    }
    return found;
  }

  /** Whether a pool's events change its price, and an order is before the first of them. */
  private needsEarlier({ venue, kept }: FoundPool): boolean {
    const { weightOf } = historyOf(venue);
    return kept.all.some((event) => weightOf(event) === 'state');
  }

  /** The point before the events. Reads what they make necessary, until no position changes during the reading. */
  private async startOf(
    { venue, pool, address }: FoundPool,
    newest: PoolPoint,
    newestBlock: number,
    kept: readonly PlacedEvent[],
  ): Promise<PoolPoint> {
    const events = [...kept];
    let point = newest;
    let since = newestBlock;
    for (let reading = 0; reading < MOST_READINGS; reading += 1) {
      let until = since;
      for (let more = point.completed(events); more; more = point.completed(events)) {
        const { values, blockNumber } = await this.together([more]);
        point = values[0] ?? point;
        until = Math.max(until, blockNumber);
      }
      if (until === since) return point.before(events);
      const meanwhile = await this.logs([address], { from: since + 1, to: until });
      if (!meanwhile.some((event) => historyOf(venue).weightOf(event) === 'change')) return point.before(events);
      const again = await this.together([historyOf(venue).newest(venue, pool)]);
      const [changed] = again.values;
      if (!changed) break;
      events.push(...(await this.logs([address], { from: since + 1, to: again.blockNumber })));
      point = changed;
      since = again.blockNumber;
    }
    throw new PoolsUnsettledError(address);
  }

  private together<Value>(reads: readonly Query<Value>[]) {
    return readTogether(this.client, reads, () => this.count());
  }

  private logs(addresses: readonly Address[], span: { readonly from: number; readonly to: number }) {
    return readLogs(this.client, addresses, span, () => this.count());
  }

  private count(): void {
    this.requests += 1;
    this.progress(this.requests, Math.max(this.requests, this.expected));
  }
}

/** The events of each transaction and pool, in order. */
function transactionsIn(events: readonly PlacedEvent[]): readonly (readonly [Address, readonly PlacedEvent[]])[] {
  // Not `Map.groupBy`, which the oldest supported browsers of the page that checks receipts lack.
  const groups = new Map<string, (typeof events)[number][]>();
  for (const event of events) {
    const key = `${event.address} ${event.transactionHash}`;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].flatMap((group) => (group[0] ? [[lower(group[0].address), group] as const] : []));
}
