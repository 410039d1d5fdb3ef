import { numberToHex } from 'viem';
import type { Execution } from '../execution/execution.ts';
import type { BlockKind } from '../rules/block-schedule.ts';
import { LOWEST_BASE_FEE_WEI, nextBaseFee } from '../rules/fee-market.ts';
import type { WireBlock } from '../rules/wire.ts';
import { type BlockRecord, recordOf } from './block-record.ts';

/** Blocks that are remembered; others are asked for again when they are wanted. */
const MOST_REMEMBERED = 10_000;

/**
 * The blocks, as the node that answers knows them. Invariant: `head` is the newest block that may be told of; anvil can be
 * ahead of it for the moment in which a block is made.
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

  /** Takes over the chain as anvil has it. @param now the machine's milliseconds */
  static async read(execution: Execution, now: () => number): Promise<ChainState> {
    const chainId = Number(await execution.ask<string>('eth_chainId'));
    const state = new ChainState(execution, chainId, await newestRecord(execution, now()), now);
    state.readBaseFees();
    return state;
  }

  get head(): BlockRecord {
    return this.newest;
  }

  /** The newest block that a node knows of which learns of each one so many milliseconds late. */
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

  /** Moves one market; from the block on that pays it, it moves by itself again. */
  setNextBaseFee(kind: BlockKind, wei: bigint): void {
    this.baseFees[kind] = wei;
  }

  /** Adds the block that was made. */
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

  /** A block of the chain, or undefined when there is none with this hash. */
  async blockByHash(hash: string): Promise<BlockRecord | undefined> {
    const known = this.byHash.get(hash);
    if (known) return known;
    const block = await this.execution.ask<WireBlock | null>('eth_getBlockByHash', hash, true);
    return block ? this.remember(await recordOf(this.execution, block, { seenAtMs: 0 })) : undefined;
  }

  /** Forgets all blocks above a height that is known: they are about to be taken back. */
  async forgetAbove(number: number): Promise<void> {
    const head = await this.block(number);
    for (const record of [...this.byNumber.values()]) if (record.number > number) this.forget(record);
    this.newest = head;
    this.readBaseFees();
  }

  /** Takes over what anvil has now, after its chain was changed by a command: nothing known before is relied on. */
  async readAnew(): Promise<void> {
    this.byNumber.clear();
    this.byHash.clear();
    this.newest = this.remember(await newestRecord(this.execution, this.now()));
    this.readBaseFees();
  }

  /** Each market goes on from its own last block, as far as blocks are remembered. */
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
