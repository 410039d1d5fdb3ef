import { BIG_BLOCK_GAS } from './base-fee.ts';
import type { ChainClient } from './client.ts';
import { ChainUnavailableError } from './errors.ts';

/** A block of the kind that our transactions are for. */
export interface SmallBlock {
  readonly number: number;
  /** Its timestamp, ms since 1970. */
  readonly timestampMs: number;
  /** Wei per gas. */
  readonly baseFeeWei: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
}

/**
 * The newest block, or the one before it where the newest is a big one: limits and fees of small blocks are in their headers alone.
 * On a chain that has big ones only, the one before it. One request, or two. Source: hyperevm § 1.2.
 * @throws ChainUnavailableError
 */
export async function newestSmallBlock(client: ChainClient): Promise<SmallBlock> {
  try {
    const newest = await client.getBlock();
    const isBig = newest.gasLimit >= BIG_BLOCK_GAS && newest.number > 0n;
    const block = isBig ? await client.getBlock({ blockHash: newest.parentHash }) : newest;
    return {
      number: Number(block.number),
      timestampMs: Number(block.timestamp) * 1000,
      baseFeeWei: block.baseFeePerGas ?? 0n,
      gasLimit: block.gasLimit,
      gasUsed: block.gasUsed,
    };
  } catch (error) {
    throw new ChainUnavailableError('read the latest block', error);
  }
}
