import type { Address, Hash } from 'viem';
import { type ChainClient, hostsOf } from '../client.ts';
import type { Transfer } from './scan-events.ts';
import { signedTransaction } from './signed-transfer.ts';

/** What {@link findPlainTransfer} asks about. */
export interface SoughtTransfer {
  readonly transactionHash: Hash;
  /** In lower case. */
  readonly to: Address;
  readonly chainId: number;
}

/**
 * The plain transfer to an address that a transaction is, with who signed it as its sender: the first that a host shows signed. One request
 * to each host at most.
 * @param enoughHosts shown unsigned by so many hosts, the transaction is no transfer @returns `unheard` where fewer show it
 */
export async function findPlainTransfer(
  client: ChainClient,
  { transactionHash, to, chainId }: SoughtTransfer,
  enoughHosts: number,
): Promise<Transfer | 'none' | 'unheard'> {
  const { signed, shownBy } = await signedTransaction(hostsOf(client), transactionHash, chainId);
  if (!signed) return shownBy < enoughHosts ? 'unheard' : 'none';
  if (signed.to?.toLowerCase() !== to || BigInt(signed.value) === 0n) return 'none';
  return { transactionHash, from: signed.from, to, amountWei: BigInt(signed.value) };
}
