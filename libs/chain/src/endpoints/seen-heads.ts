import type { RpcCall } from './request-outcome.ts';

/** How long the highest head that was seen is held against a lower one, ms; a chain that was rolled back shows a lower one for longer. */
const REMEMBERED_MS = 10_000;

/**
 * What an answer says of how far its node is. `behind`: another has answered with a newer block. `absent`: what was asked for is
 * not there though it may be elsewhere. Neither is believed before the other endpoints were asked.
 */
export type AnswerAge = 'current' | 'behind' | 'absent';

/** Heights that answers have shown, so that failover does not go back in time. Time is the caller's, in ms. */
export class SeenHeads {
  private readonly heads = new Map<number, number>();
  private highest = { number: -1, atMs: Number.NEGATIVE_INFINITY };
  private highestBest = -1;

  /** The highest ever. */
  get best(): number {
    return this.highestBest;
  }

  /** Takes note of the height in an answer. @param position of the endpoint */
  saw(position: number, call: RpcCall, answer: unknown, nowMs: number): void {
    const height = heightIn(call, answer);
    if (height === undefined) return;
    if (height > (this.heads.get(position) ?? -1) || asksForNewest(call)) this.heads.set(position, height);
    if (height >= this.floor(nowMs)) this.highest = { number: height, atMs: nowMs };
    this.highestBest = Math.max(this.highestBest, height);
  }

  /** The highest head of late; -1 where none was seen. */
  floor(nowMs: number): number {
    return nowMs - this.highest.atMs > REMEMBERED_MS ? -1 : this.highest.number;
  }

  age(call: RpcCall, answer: unknown, nowMs: number): AnswerAge {
    if (asksForNewest(call)) return (heightIn(call, answer) ?? -1) < this.floor(nowMs) ? 'behind' : 'current';
    if (answer !== null) return 'current';
    if (BY_HASH.has(call.method)) return 'absent';
    const asked = heightAsked(call);
    return asked !== undefined && asked <= this.floor(nowMs) ? 'absent' : 'current';
  }

  /** Whether an endpoint should have what it was asked for, as far as its own answers say. */
  hasReached(position: number, call: RpcCall): boolean {
    return (heightAsked(call) ?? -1) <= (this.heads.get(position) ?? -1);
  }
}

const BY_HASH = new Set(['eth_getTransactionReceipt', 'eth_getTransactionByHash']);
const BY_NUMBER = new Set(['eth_getBlockByNumber', 'eth_getBlockReceipts']);

function parameter(call: RpcCall): unknown {
  return Array.isArray(call.params) ? call.params[0] : undefined;
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
  const height = Number((answer as { number?: unknown }).number);
  return Number.isInteger(height) ? height : undefined;
}
