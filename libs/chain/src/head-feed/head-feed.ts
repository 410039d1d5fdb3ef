import { setTimeout as wait } from 'node:timers/promises';
import type { Block, Hash } from 'viem';
import { SmallBlockFee } from '../base-fee.ts';
import type { ChainClient } from '../client.ts';
import { PhaseLock } from '../scanner/phase-lock.ts';
import { SmallBlockTip } from '../tip.ts';
import type { ChainClock } from './chain-clock.ts';

/** Logger for failed reads. */
export interface HeadLogger {
  warn(details: object, message: string): void;
}

/** Most remembered blocks. An execution that is further behind reads receipts by hash instead. */
const BLOCKS_REMEMBERED = 64;

/** Time after which a lower head of another branch counts as a rollback of the chain, not as a fault of an endpoint, ms. */
const LOWER_HEAD_BELIEVED_MS = 10_000;

const FAILURE_PAUSE_MS = 1000;

/** Failures between two log lines: an endpoint that is down for an hour is one fact. */
const FAILURES_PER_LINE = 60;

/** The facts about a block that executions use. */
export interface BlockHead {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** Of the newest block: the chain's time by several hosts, ms. Of others: their timestamp, ms. */
  readonly timestampMs: number;
  /** Base fee of small blocks, which hold our transactions, wei per gas; never that of a big block's header. */
  readonly baseFeeWei: bigint;
  /** Tip that is worth offering now, wei per gas; 0 while blocks have room. */
  readonly tipWei: bigint;
  readonly transactionHashes: ReadonlySet<Hash>;
}

/** Result of a request for the newest block. */
interface FreshBlocks {
  readonly newest: BlockHead | undefined;
  /** Blocks between the previous newest one and this one, ascending. */
  readonly between: readonly BlockHead[];
}

const NOTHING_FRESH: FreshBlocks = { newest: undefined, between: [] };

/** Called with each new head; must not throw. */
export type HeadListener = (head: BlockHead) => void;

/**
 * Reads the newest blocks once for all executions: one `eth_getBlockByNumber` a block, just after it exists.
 * The blocks' transaction hashes show which blocks hold our transactions; receipts are read only for those. Where requests are
 * scarce, it polls less often and skips the blocks in between: their transactions are found by hash.
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
  private readonly steady: () => number;

  /**
   * @param everyMs time between two requests where requests are scarce, ms; without it one request for each block
   * @param steady a clock that only goes forward, for ages, ms
   */
  constructor(client: ChainClient, logger: HeadLogger, clock: ChainClock, everyMs?: number, steady = clock.now) {
    this.client = client;
    this.logger = logger;
    this.clock = clock;
    this.everyMs = everyMs;
    this.steady = steady;
    this.newestSeenAtMs = steady();
    this.fee = new SmallBlockFee(client);
    this.tip = new SmallBlockTip(client);
  }

  /** Our clock, ms: to stamp records, never to wait. */
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

  /** Time since the last new head, ms; before the first, since the feed was created. */
  get ageMs(): number {
    return this.steady() - this.newestSeenAtMs;
  }

  listen(listener: HeadListener): void {
    this.listeners.add(listener);
  }

  /** Adds a listener for reorganisations: the newest block is of another branch than those before. It must not throw. */
  listenToReorgs(listener: () => void): void {
    this.reorgListeners.add(listener);
  }

  /** @param onRound called after each request, whether it failed or not */
  start(onRound: () => void = () => undefined): void {
    this.running ??= this.run(onRound);
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
   * Hash of the block at a height in the newest block's branch, by parent hashes from the newest block down. Undefined where one of
   * the blocks is not remembered.
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

  private async run(onRound: () => void): Promise<void> {
    const lock = new PhaseLock(performance.now());
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      onRound();
      try {
        const { newest, between } = await this.poll();
        failures = 0;
        // A big block comes in the same second as a small one: it is no part of the rhythm.
        for (const { timestampMs } of between) if (timestampMs !== newest?.timestampMs) lock.passed(timestampMs);
        if (newest) lock.arrived(performance.now(), newest.timestampMs);
        else lock.missed(performance.now());
        await this.pause(this.everyMs ?? Math.max(lock.nextPollAtMs - performance.now(), 0));
      } catch (error) {
        if (failures++ % FAILURES_PER_LINE === 0) {
          this.logger.warn({ err: error }, 'newest block not read, sending paused');
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
    // The block's time is not usable: without another block, nothing ends and nothing starts.
    if (timestampMs === undefined) return NOTHING_FRESH;
    const block = { ...shown, timestampMs };
    if (newest && block.number < newest.number) {
      // A block that we already know only shows that its node lags, however long it stays.
      if (this.blocks.get(block.number)?.hash === block.hash) return NOTHING_FRESH;
      if (this.ageMs < LOWER_HEAD_BELIEVED_MS) return NOTHING_FRESH;
    }
    const between = newest && this.everyMs === undefined ? await this.readBetween(newest, block) : [];
    // Remember each of them, even after one that replaced others.
    const reorganised = [...between, block].map((fresh) => this.remember(fresh)).includes(true);
    this.newest = block;
    this.newestSeenAtMs = this.steady();
    if (reorganised) for (const listener of this.reorgListeners) listener();
    for (const listener of this.listeners) listener(block);
    return { newest: block, between };
  }

  /** @returns the blocks between the two that are recent enough to remember, ascending */
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

  /** @returns whether it replaced other blocks */
  private remember(block: BlockHead): boolean {
    const parent = this.blocks.get(block.number - 1);
    // Another branch: the remembered blocks are no longer valid. Transactions are found again by hash.
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

  /** Reads the tip, or keeps the last one: a node without tips must not stop sending, and a late transaction is detected in any case. */
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
