import type { Address } from 'viem';
import { BIG_BLOCK_GAS, type SmallBlockFee } from './base-fee.ts';
import type { ChainClient } from './client.ts';
import { ChainUnavailableError } from './errors.ts';

/** A block as the chain's clock. */
export interface BlockTime {
  readonly number: number;
  /** Its timestamp, ms since 1970. */
  readonly timestampMs: number;
}

/** The newest block. @throws ChainUnavailableError */
export async function latestBlock(client: ChainClient): Promise<BlockTime> {
  const { number, timestamp } = await client.getBlock().catch((error: unknown) => {
    throw new ChainUnavailableError('read the latest block', error);
  });
  return { number: Number(number), timestampMs: Number(timestamp) * 1000 };
}

/** The newest block, and the base fee of small blocks, wei per gas. @throws ChainUnavailableError */
export async function latestBlockAndFee(
  client: ChainClient,
  fee: SmallBlockFee,
): Promise<BlockTime & { readonly smallBlockFeeWei: bigint }> {
  try {
    const block = await client.getBlock();
    const smallBlockFeeWei = await fee.after(block);
    return { number: Number(block.number), timestampMs: Number(block.timestamp) * 1000, smallBlockFeeWei };
  } catch (error) {
    throw new ChainUnavailableError('read the latest block', error);
  }
}

/** A small block: the kind that holds our transactions. */
export interface SmallBlock extends BlockTime {
  /** Wei per gas. */
  readonly baseFeeWei: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
}

/**
 * The newest block, or its parent where the newest is a big one: only small blocks' headers have their limits and fees.
 * On a chain of big blocks only, always the parent. One request, or two. Source: hyperevm § 1.2.
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

/** Whether there is a contract at an address. @throws ChainUnavailableError */
export async function isContract(client: ChainClient, address: Address): Promise<boolean> {
  const code = await client.getCode({ address }).catch((error: unknown) => {
    throw new ChainUnavailableError('read the code at an address', error);
  });
  return code !== undefined;
}
