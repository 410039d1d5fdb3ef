import type { Address } from 'viem';
import type { ChainClient } from './client.ts';
import { ChainUnavailableError } from './errors.ts';

/** A block as the chain's clock. */
export interface BlockTime {
  readonly number: number;
  /** Its timestamp, ms since 1970. */
  readonly timestampMs: number;
  /** Wei per gas. */
  readonly baseFeeWei: bigint;
}

/** The newest block. @throws ChainUnavailableError */
export async function latestBlock(client: ChainClient): Promise<BlockTime> {
  const { number, timestamp, baseFeePerGas } = await client.getBlock().catch((error: unknown) => {
    throw new ChainUnavailableError('read the latest block', error);
  });
  return { number: Number(number), timestampMs: Number(timestamp) * 1000, baseFeeWei: baseFeePerGas ?? 0n };
}

/** Whether there is a contract at an address. @throws ChainUnavailableError */
export async function isContract(client: ChainClient, address: Address): Promise<boolean> {
  const code = await client.getCode({ address }).catch((error: unknown) => {
    throw new ChainUnavailableError('read the code at an address', error);
  });
  return code !== undefined;
}
