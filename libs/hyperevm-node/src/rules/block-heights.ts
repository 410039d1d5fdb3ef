import { isHex } from 'viem';
import { invalidHeight, invalidParameters } from './json-rpc.ts';

/** The heights of the chain that a node shows, from `oldest` to `head`. */
export interface Range {
  head: number;
  oldest: number;
}

const TAGS_OF_HEAD = ['latest', 'safe', 'finalized'];
const TAGS = [...TAGS_OF_HEAD, 'earliest', 'pending'];

/** Parses a hexadecimal quantity of JSON-RPC. @throws RpcError */
export function readQuantity(value: unknown, what: string): number {
  if (!isHex(value) || value.length === 2)
    throw invalidParameters(`${what} is expected in hex, got ${JSON.stringify(value)}`);
  return Number(BigInt(value));
}

/** Parses a hash. @throws RpcError */
export function readHash(value: unknown): string {
  if (!isHex(value) || value.length !== 66) throw invalidParameters(`a hash is expected, got ${JSON.stringify(value)}`);
  return value.toLowerCase();
}

/**
 * The height that a request names. There is no pending block; `safe` and `finalized` are the head, since every block is
 * final. Source: hyperevm §§ 1, 1.2.
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
 * Checks the block parameter of a request for state. The node only rejects an invalid one: for every valid block, even above the
 * head, the latest state is the answer. Source: hyperevm §§ 1, 1.2.
 * @throws RpcError
 */
export function ignoreStateBlock(value: unknown): void {
  if (value === undefined || value === null || TAGS.includes(value as string)) return;
  const { blockNumber, blockHash } = value as { blockNumber?: unknown; blockHash?: unknown };
  if (typeof value === 'object' && blockHash !== undefined) readHash(blockHash);
  else readQuantity(typeof value === 'object' ? blockNumber : value, 'a block number or tag');
}
