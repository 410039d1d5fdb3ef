import { numberToHex } from 'viem';
import type { Execution } from '../execution/execution.ts';
import type { BlockKind } from '../rules/block-schedule.ts';
import { LOWEST_BASE_FEE_WEI, nextBaseFee } from '../rules/fee-market.ts';
import type { WireBlock } from '../rules/wire.ts';
import { type BlockRecord, recordOf } from './block-record.ts';

/** Blocks in memory; the node reads others from anvil when it needs them. */
const MOST_REMEMBERED = 10_000;

/**
 * The blocks that the node shows. Invariant: `head` is the newest block that answers may show. anvil can be ahead of it for
 * a moment while a block is produced.
 */
export class ChainState {
  readonly chainId: number;
  private readonly execution: Execution;
  private readonly now: () => number;
  private readonly byNumber = new Map<number, BlockRecord>();
  private readonly byHash = new Map<string, BlockRecord>();
  private newest: BlockRecord;
  private baseFees: Record<BlockKind, bigint> = { small: LOWEST_BASE_FEE_WEI, big: LOWEST_BASE_FEE_WEI };

  private constructor(execution: Execution, chainId: number, head: BlockRecord, now: () => number) {
    this.execution = execution;
    this.chainId = chainId;
    this.now = now;
    this.newest = head;
    this.remember(head);
  }

  /** Reads anvil's current chain. @param now returns the machine's time, milliseconds */
  static async read(execution: Execution, now: () => number): Promise<ChainState> {
    const chainId = Number(await execution.ask<string>('eth_chainId'));
    const state = new ChainState(execution, chainId, await newestRecord(execution, now()), now);
    state.readBaseFees();
    return state;
  }

  get head(): BlockRecord {
    return this.newest;
  }

  /** The newest block known to a node that learns of each block `behindMs` late. */
  headSeenBefore(behindMs: number): BlockRecord {
    const until = this.now() - behindMs;
    let record = this.newest;
    while (record.seenAtMs > until) {
      const earlier = this.byNumber.get(record.number - 1);
      if (!earlier) break;
      record = earlier;
    }
    return record;
  }

  /** Base fee of the next block of a kind, wei. */
  nextBaseFeeWei(kind: BlockKind): bigint {
    return this.baseFees[kind];
  }

  /** Sets the next base fee of one kind, wei; after the block that uses it, the fee follows its rule again. */
  setNextBaseFee(kind: BlockKind, wei: bigint): void {
    this.baseFees[kind] = wei;
  }

  /** Adds a produced block. */
  add(record: BlockRecord): void {
    this.remember(record);
    this.newest = record;
    this.baseFees[record.kind] = nextBaseFee(record);
    const old = this.byNumber.get(record.number - MOST_REMEMBERED);
    if (old) this.forget(old);
  }

  /** A block of the chain. @param number at most the head's */
  async block(number: number): Promise<BlockRecord> {
    const known = this.byNumber.get(number);
    if (known) return known;
    const block = await this.execution.ask<WireBlock>('eth_getBlockByNumber', numberToHex(number), true);
    return this.remember(await recordOf(this.execution, block, { seenAtMs: 0 }));
  }

  /** A block of the chain; undefined when none has this hash. */
  async blockByHash(hash: string): Promise<BlockRecord | undefined> {
    const known = this.byHash.get(hash);
    if (known) return known;
    const block = await this.execution.ask<WireBlock | null>('eth_getBlockByHash', hash, true);
    return block ? this.remember(await recordOf(this.execution, block, { seenAtMs: 0 })) : undefined;
  }

  /** Removes all blocks above a known height, before a rollback. */
  async forgetAbove(number: number): Promise<void> {
    const head = await this.block(number);
    for (const record of [...this.byNumber.values()]) if (record.number > number) this.forget(record);
    this.newest = head;
    this.readBaseFees();
  }

  /** Reads anvil's chain again, after a command changed it. Keeps no earlier record. */
  async readAnew(): Promise<void> {
    this.byNumber.clear();
    this.byHash.clear();
    this.newest = this.remember(await newestRecord(this.execution, this.now()));
    this.readBaseFees();
  }

  /** Computes each kind's base fee from its own last block in memory. */
  private readBaseFees(): void {
    this.baseFees = { small: LOWEST_BASE_FEE_WEI, big: LOWEST_BASE_FEE_WEI };
    const ascending = [...this.byNumber.values()].toSorted((one, other) => one.number - other.number);
    for (const record of ascending) this.baseFees[record.kind] = nextBaseFee(record);
  }

  private remember(record: BlockRecord): BlockRecord {
    this.byNumber.set(record.number, record);
    this.byHash.set(record.hash, record);
    return record;
  }

  private forget(record: BlockRecord): void {
    this.byNumber.delete(record.number);
    this.byHash.delete(record.hash);
  }
}

async function newestRecord(execution: Execution, seenAtMs: number): Promise<BlockRecord> {
  return recordOf(execution, await execution.ask<WireBlock>('eth_getBlockByNumber', 'latest', true), { seenAtMs });
}
