import type { Hash } from 'viem';
import type { RpcCall } from './request-outcome.ts';

/** Time for which the highest seen head makes lower ones count as behind, ms; a rolled back chain shows a lower one for longer. */
const REMEMBERED_MS = 10_000;

/**
 * Age of an answer. `behind`: an earlier answer had a newer block. `absent`: the node does not have the requested object, though
 * another node may have it. Neither counts before the other endpoints were asked.
 */
export type AnswerAge = 'current' | 'behind' | 'absent';

/** Most remembered block hashes. */
const HASHES_REMEMBERED = 256;

/**
 * Remembers the heights in answers, so that the head never goes back in time between endpoints, or between two nodes behind one name.
 * A block of another branch resets it: its hash, or its parent's, differs from the seen one at that height. A lower height with an
 * unknown hash is accepted if it persists. The caller passes the time, ms.
 */
export class SeenHeads {
  private readonly heads = new Map<number, number>();
  private highest = { number: -1, atMs: Number.NEGATIVE_INFINITY };
  private highestBest = -1;
  private readonly hashes = new Map<number, Hash>();
  /** The newest answer to each request form for the newest block. */
  private readonly newest = new Map<string, { readonly height: number; readonly answer: unknown }>();

  /** The highest head ever seen. */
  get best(): number {
    return this.highestBest;
  }

  /** Records the height in an answer. @param position of the endpoint */
  saw(position: number, call: RpcCall, answer: unknown, nowMs: number): void {
    const height = heightIn(call, answer);
    if (height === undefined) return;
    const behind = this.isBehind(height, answer, nowMs);
    this.remember(blockIn(answer), nowMs);
    if (height > (this.heads.get(position) ?? -1) || asksForNewest(call)) this.heads.set(position, height);
    if (!behind) this.highest = { number: height, atMs: nowMs };
    this.highestBest = Math.max(this.highestBest, height);
    if (asksForNewest(call) && height >= (this.newest.get(keyOf(call))?.height ?? -1)) {
      this.newest.set(keyOf(call), { height, answer });
    }
  }

  /** The highest recent head; -1 where there is none. */
  floor(nowMs: number): number {
    return nowMs - this.highest.atMs > REMEMBERED_MS ? -1 : this.highest.number;
  }

  age(call: RpcCall, answer: unknown, nowMs: number): AnswerAge {
    if (asksForNewest(call)) return this.isBehind(heightIn(call, answer) ?? -1, answer, nowMs) ? 'behind' : 'current';
    if (answer !== null) return 'current';
    if (BY_HASH.has(call.method)) return 'absent';
    const asked = heightAsked(call);
    return asked !== undefined && asked <= this.floor(nowMs) ? 'absent' : 'current';
  }

  /** The newest known answer to the same call, where all reachable endpoints are behind it. */
  newestAnswer(call: RpcCall, older: unknown): unknown {
    const known = this.newest.get(keyOf(call));
    return known && known.height > (heightIn(call, older) ?? -1) ? known.answer : older;
  }

  /** Whether an endpoint should have the requested block, by its own earlier answers. */
  hasReached(position: number, call: RpcCall): boolean {
    return (heightAsked(call) ?? -1) <= (this.heads.get(position) ?? -1);
  }

  /** A known block below a newer one always means that its node lags, however long it stays the head. */
  private isBehind(height: number, answer: unknown, nowMs: number): boolean {
    if (height < this.floor(nowMs)) return true;
    const block = blockIn(answer);
    return height < this.highest.number && block !== undefined && this.hashes.get(height) === block.hash;
  }

  private remember(block: SeenBlock | undefined, nowMs: number): void {
    if (!block) return;
    const { number, hash, parentHash } = block;
    const isOther = (known: Hash | undefined, seen: Hash | undefined) => known && seen && known !== seen;
    if (isOther(this.hashes.get(number), hash) || isOther(this.hashes.get(number - 1), parentHash)) {
      this.hashes.clear();
      this.newest.clear();
      this.heads.clear();
      this.highest = { number, atMs: nowMs };
    }
    this.hashes.set(number, hash);
    if (parentHash) this.hashes.set(number - 1, parentHash);
    for (const old of this.hashes.keys()) {
      if (this.hashes.size <= HASHES_REMEMBERED) break;
      this.hashes.delete(old);
    }
  }
}

const BY_HASH = new Set<string>(['eth_getTransactionReceipt', 'eth_getTransactionByHash']);
const BY_NUMBER = new Set<string>(['eth_getBlockByNumber', 'eth_getBlockReceipts']);

function parameter({ params }: RpcCall): unknown {
  return params?.[0];
}

function asksForNewest(call: RpcCall): boolean {
  return call.method === 'eth_blockNumber' || (call.method === 'eth_getBlockByNumber' && parameter(call) === 'latest');
}

function heightAsked(call: RpcCall): number | undefined {
  const height = Number(parameter(call));
  return BY_NUMBER.has(call.method) && Number.isInteger(height) ? height : undefined;
}

function heightIn(call: RpcCall, answer: unknown): number | undefined {
  if (call.method === 'eth_blockNumber') return Number(answer);
  if (call.method !== 'eth_getBlockByNumber' || answer === null) return undefined;
  return Number((answer as { number: unknown }).number);
}

function keyOf({ method, params }: RpcCall): string {
  return `${method} ${JSON.stringify(params)}`;
}

interface SeenBlock {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash?: Hash;
}

function blockIn(answer: unknown): SeenBlock | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { number, hash, parentHash } = answer as Partial<Record<'number' | 'hash' | 'parentHash', Hash>>;
  return number && hash ? { number: Number(number), hash, ...(parentHash && { parentHash }) } : undefined;
}
