import { setTimeout as wait } from 'node:timers/promises';
import type { Block, Hash } from 'viem';
import { SmallBlockFee } from '../base-fee.ts';
import type { ChainClient } from '../client.ts';
import { PhaseLock } from '../scanner/phase-lock.ts';
import { SmallBlockTip } from '../tip.ts';
import type { ChainClock } from './chain-clock.ts';

/** Where a feed reports what it cannot read. */
export interface HeadLogger {
  warn(details: object, message: string): void;
}

/** Blocks kept in mind. Who is further behind asks for receipts by hash instead. */
const BLOCKS_REMEMBERED = 64;

/** A lower head of another branch is an endpoint's, unless it stays: then the chain was rolled back. Ms. */
const LOWER_HEAD_BELIEVED_MS = 10_000;

const FAILURE_PAUSE_MS = 1000;

/** Failures between two log lines: an endpoint that is down for an hour is one fact. */
const FAILURES_PER_LINE = 60;

/** A block as the maker sees it. */
export interface BlockHead {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** Of the newest block the chain's time as several hosts tell it, ms; of others their timestamp. */
  readonly timestampMs: number;
  /** Wei per gas of small blocks, which ours are for: not that of a big one's header. */
  readonly baseFeeWei: bigint;
  /** Wei per gas that are worth offering on top now; 0 while blocks have room. */
  readonly tipWei: bigint;
  readonly transactionHashes: ReadonlySet<Hash>;
}

/** What a request for the newest block brought. */
interface FreshBlocks {
  readonly newest: BlockHead | undefined;
  /** What came before it and since the one before, ascending. */
  readonly between: readonly BlockHead[];
}

const NOTHING_FRESH: FreshBlocks = { newest: undefined, between: [] };

/** Hears of each new head; must not throw. */
export type HeadListener = (head: BlockHead) => void;

/**
 * The newest blocks, read once for all executions: one `eth_getBlockByNumber` a block, asked for just after it exists.
 * Their lists of hashes say which blocks hold our transactions, and only of those receipts are read. Where requests are
 * scarce, it asks less often and leaves out the blocks in between: what was mined in them is found by its hash.
 */
export class HeadFeed {
  private readonly blocks = new Map<number, BlockHead>();
  private readonly listeners = new Set<HeadListener>();
  private readonly reorgListeners = new Set<() => void>();
  private readonly stopping = new AbortController();
  private newest: BlockHead | undefined;
  private newestSeenAtMs: number;
  private running: Promise<void> | undefined;
  private readonly fee: SmallBlockFee;
  private readonly tip: SmallBlockTip;

  private readonly client: ChainClient;
  private readonly logger: HeadLogger;
  private readonly clock: ChainClock;
  private readonly everyMs: number | undefined;

  /** @param everyMs time between two requests where requests are scarce, ms; once for each block unless given */
  constructor(client: ChainClient, logger: HeadLogger, clock: ChainClock, everyMs?: number) {
    this.client = client;
    this.logger = logger;
    this.clock = clock;
    this.everyMs = everyMs;
    this.newestSeenAtMs = clock.now();
    this.fee = new SmallBlockFee(client);
    this.tip = new SmallBlockTip(client);
  }

  /** Our clock, ms. */
  get now(): () => number {
    return this.clock.now;
  }

  /** The newest block; undefined before the first was read. */
  get head(): BlockHead | undefined {
    return this.newest;
  }

  /** Time by the chain's clock, ms: that of the newest block, or ours before the first was read. */
  get chainNowMs(): number {
    return this.newest?.timestampMs ?? this.now();
  }

  /** When the chain was last heard of, ms; at first, when the feed was made. */
  get seenAtMs(): number {
    return this.newestSeenAtMs;
  }

  listen(listener: HeadListener): void {
    this.listeners.add(listener);
  }

  /** Hears when the newest block is of another branch than those before; must not throw. */
  listenToReorgs(listener: () => void): void {
    this.reorgListeners.add(listener);
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Remembered blocks after a height, ascending. */
  after(height: number): readonly BlockHead[] {
    return [...this.blocks.values()].filter((block) => block.number > height).sort((a, b) => a.number - b.number);
  }

  /**
   * Hash of the block at a height, as the newest block has it: by its parent, and that one's, down to there. Undefined where one of
   * them is not remembered.
   */
  hashAt(height: number): Hash | undefined {
    let { newest: block } = this;
    while (block && block.number > height + 1) {
      const parent = this.blocks.get(block.number - 1);
      block = parent?.hash === block.parentHash ? parent : undefined;
    }
    if (block?.number === height + 1) return block.parentHash;
    return block?.number === height ? block.hash : undefined;
  }

  private async run(): Promise<void> {
    const lock = new PhaseLock(this.now());
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      try {
        const { newest, between } = await this.poll();
        failures = 0;
        // A big block stands beside a small one, in its second: it is no part of the rhythm.
        for (const { timestampMs } of between) if (timestampMs !== newest?.timestampMs) lock.passed(timestampMs);
        if (newest) lock.arrived(this.now(), newest.timestampMs);
        else lock.missed(this.now());
        await this.pause(this.everyMs ?? Math.max(lock.nextPollAtMs - this.now(), 0));
      } catch (error) {
        if (failures++ % FAILURES_PER_LINE === 0) {
          this.logger.warn({ err: error }, 'newest block not read, nothing is sent until it is');
        }
        await this.pause(this.everyMs ?? FAILURE_PAUSE_MS);
      }
    }
  }

  private async poll(): Promise<FreshBlocks> {
    const shown = await this.toHead(await this.client.getBlock({ blockTag: 'latest', includeTransactions: false }));
    const { newest } = this;
    if (newest && shown.hash === newest.hash) return NOTHING_FRESH;
    const timestampMs = await this.clock.timeOf(shown.number, shown.timestampMs);
    // Not a block to decide by: while there is no other, nothing ends and nothing starts.
    if (timestampMs === undefined) return NOTHING_FRESH;
    const block = { ...shown, timestampMs };
    if (newest && block.number < newest.number) {
      // Our own block, however long it stays, is that of a node that is late.
      if (this.blocks.get(block.number)?.hash === block.hash) return NOTHING_FRESH;
      if (this.now() - this.newestSeenAtMs < LOWER_HEAD_BELIEVED_MS) return NOTHING_FRESH;
    }
    const between = newest && this.everyMs === undefined ? await this.readBetween(newest, block) : [];
    // Each is remembered, whether or not one before it took the place of others.
    const reorganised = [...between, block].map((fresh) => this.remember(fresh)).includes(true);
    this.newest = block;
    this.newestSeenAtMs = this.now();
    if (reorganised) for (const listener of this.reorgListeners) listener();
    for (const listener of this.listeners) listener(block);
    return { newest: block, between };
  }

  /** @returns the blocks between the two that can still be of use, ascending */
  private async readBetween(newest: BlockHead, block: BlockHead): Promise<readonly BlockHead[]> {
    const between: BlockHead[] = [];
    const from = Math.max(newest.number + 1, block.number - BLOCKS_REMEMBERED + 1);
    for (let number = from; number < block.number; number += 1) {
      between.push(
        await this.toHead(await this.client.getBlock({ blockNumber: BigInt(number), includeTransactions: false })),
      );
    }
    return between;
  }

  /** @returns whether it took the place of other blocks */
  private remember(block: BlockHead): boolean {
    const parent = this.blocks.get(block.number - 1);
    // Another branch: what was known above the common ancestor is no longer true, and is found again by hash.
    const branched = parent !== undefined && parent.hash !== block.parentHash;
    const replaces = branched || [...this.blocks.keys()].some((number) => number >= block.number);
    for (const number of [...this.blocks.keys()]) {
      if (branched || number >= block.number || number <= block.number - BLOCKS_REMEMBERED) this.blocks.delete(number);
    }
    this.blocks.set(block.number, block);
    return replaces;
  }

  private async toHead(block: Block<bigint, false, 'latest'> | Block<bigint, false>): Promise<BlockHead> {
    const { number, hash } = block;
    if (number === null || hash === null) throw new Error('The node answered with a pending block');
    const baseFeeWei = await this.fee.after(block);
    return {
      number: Number(number),
      hash,
      parentHash: block.parentHash,
      timestampMs: Number(block.timestamp) * 1000,
      baseFeeWei,
      tipWei: await this.tipAfter(block),
      transactionHashes: new Set(block.transactions),
    };
  }

  /** A node that does not tell of tips is no reason to send nothing: who is starved is found by waiting, too. */
  private async tipAfter(block: Block): Promise<bigint> {
    try {
      return await this.tip.after(block, this.fee.isBig(block));
    } catch (error) {
      this.logger.warn({ err: error }, 'tips not read, keeping the last one');
      return this.newest?.tipWei ?? 0n;
    }
  }

  private async pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
