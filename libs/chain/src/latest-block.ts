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

/** The newest block, and wei per gas of the blocks that our transactions are for. @throws ChainUnavailableError */
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

/** A block of the kind that our transactions are for. */
export interface SmallBlock extends BlockTime {
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

/** Whether there is a contract at an address. @throws ChainUnavailableError */
export async function isContract(client: ChainClient, address: Address): Promise<boolean> {
  const code = await client.getCode({ address }).catch((error: unknown) => {
    throw new ChainUnavailableError('read the code at an address', error);
  });
  return code !== undefined;
}
