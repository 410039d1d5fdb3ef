import type { Address } from 'viem';
import type { SmallBlockFee } from './base-fee.ts';
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

/** Whether there is a contract at an address. @throws ChainUnavailableError */
export async function isContract(client: ChainClient, address: Address): Promise<boolean> {
  const code = await client.getCode({ address }).catch((error: unknown) => {
    throw new ChainUnavailableError('read the code at an address', error);
  });
  return code !== undefined;
}
