import type { Address, Hash, Hex } from 'viem';
import { toHex } from 'viem';
import { meaningOf } from '../error-meaning.ts';
import type { RpcRequest } from './rpc-request.ts';
import type { BlockPointer } from './scan-events.ts';

/** A transaction in the wire form of `eth_getBlockByNumber`, as far as it is read. */
export interface WireTransaction {
  readonly hash: Hash;
  readonly from: Address;
  readonly to: Address | null;
  readonly value: Hex;
  readonly input: Hex;
  readonly gasPrice?: Hex;
  /** With the other signed fields, by which the hash is recomputed; see `signed-transfer.ts`. */
  readonly type?: Hex;
  readonly r?: Hex;
  readonly s?: Hex;
  readonly v?: Hex;
  readonly yParity?: Hex;
}

/** A block in its wire form with full transactions, as far as it is read. */
export interface WireBlock {
  readonly number: Hex;
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly timestamp: Hex;
  readonly gasLimit?: Hex;
  readonly transactions: readonly WireTransaction[];
}

/**
 * Reads a block by `eth_getBlockByNumber`.
 * @param full whether with its transactions
 * @returns null where the node does not have the block (not yet, or no longer), in whatever way it says so
 */
export async function readBlock(request: RpcRequest, number: number, full = true): Promise<WireBlock | null> {
  try {
    const block = await request({ method: 'eth_getBlockByNumber', params: [toHex(number), full] });
    return block as WireBlock | null;
  } catch (error) {
    if (meaningOf(error) === 'not_there') return null;
    throw error;
  }
}

/** Reads the newest block with its transactions by `eth_getBlockByNumber`. */
export async function readNewestBlock(request: RpcRequest): Promise<WireBlock> {
  return (await request({ method: 'eth_getBlockByNumber', params: ['latest', true] })) as WireBlock;
}

/** Reads the height of the newest block by `eth_blockNumber`. */
export async function readHeadNumber(request: RpcRequest): Promise<number> {
  return Number(await request({ method: 'eth_blockNumber', params: [] }));
}

/** What is remembered of a block. */
export function pointerOf(block: WireBlock): BlockPointer {
  return {
    number: Number(block.number),
    hash: block.hash,
    timestampMs: Number(block.timestamp) * 1000,
  };
}
