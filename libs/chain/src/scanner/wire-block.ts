import type { Address, Hash, Hex } from 'viem';
import { toHex } from 'viem';
import { meaningOf } from '../error-meaning.ts';
import type { RpcRequest } from './rpc-request.ts';
import type { BlockPointer } from './scan-events.ts';

/** The fields that the scanner reads of a transaction's wire form in `eth_getBlockByNumber`. */
export interface WireTransaction {
  readonly hash: Hash;
  readonly from: Address;
  readonly to: Address | null;
  readonly value: Hex;
  readonly input: Hex;
  readonly gasPrice?: Hex;
  /** These and the other signed fields serve to recompute the hash; see `signed-transfer.ts`. */
  readonly type?: Hex;
  readonly r?: Hex;
  readonly s?: Hex;
  readonly v?: Hex;
  readonly yParity?: Hex;
}

/** The fields that the scanner reads of a block's wire form with full transactions. */
export interface WireBlock {
  readonly number: Hex;
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly timestamp: Hex;
  readonly gasLimit: Hex;
  readonly transactions: readonly WireTransaction[];
}

/**
 * Reads a block by `eth_getBlockByNumber`.
 * @param full whether to include its transactions
 * @returns null where the node does not have the block (not yet, or no longer), whether it answers null or an error
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

/** Returns the pointer of a block. */
export function pointerOf(block: WireBlock): BlockPointer {
  return {
    number: Number(block.number),
    hash: block.hash,
    timestampMs: Number(block.timestamp) * 1000,
  };
}
