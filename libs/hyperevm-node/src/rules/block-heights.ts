import { isHex } from 'viem';
import { invalidHeight, invalidParameters } from './json-rpc.ts';

/** What of the chain a node shows: the heights from `oldest` to `head`. */
export interface Range {
  head: number;
  oldest: number;
}

const TAGS_OF_HEAD = ['latest', 'safe', 'finalized'];
const TAGS = [...TAGS_OF_HEAD, 'earliest', 'pending'];

/** A number in hex, as JSON-RPC writes quantities. @throws RpcError */
export function readQuantity(value: unknown, what: string): number {
  if (!isHex(value) || value.length === 2)
    throw invalidParameters(`${what} is expected in hex, got ${JSON.stringify(value)}`);
  return Number(BigInt(value));
}

/** A hash. @throws RpcError */
export function readHash(value: unknown): string {
  if (!isHex(value) || value.length !== 66) throw invalidParameters(`a hash is expected, got ${JSON.stringify(value)}`);
  return value.toLowerCase();
}

/**
 * Which block a request by height means. There is no pending block to ask for; `safe` and `finalized` are the head, since
 * what is in a block is final. Source: hyperevm §§ 1, 1.2.
 * @throws RpcError for a height above the head or before the kept history
 */
export function readHeight(value: unknown, { head, oldest }: Range): number {
  if (TAGS_OF_HEAD.includes(value as string)) return head;
  if (value === 'earliest') return oldest;
  if (value === 'pending') throw invalidParameters('the pending block is not supported');
  const height = readQuantity(value, 'a block number or tag');
  if (height > head || height < oldest) throw invalidHeight(height);
  return height;
}

/**
 * The block of a request for state is read only to refuse what is none: whatever it says, even a height above the head, the
 * latest state is the answer. Source: hyperevm §§ 1, 1.2.
 * @throws RpcError
 */
export function ignoreStateBlock(value: unknown): void {
  if (value === undefined || value === null || TAGS.includes(value as string)) return;
  const { blockNumber, blockHash } = value as { blockNumber?: unknown; blockHash?: unknown };
  if (typeof value === 'object' && blockHash !== undefined) readHash(blockHash);
  else readQuantity(typeof value === 'object' ? blockNumber : value, 'a block number or tag');
}
