import type { Address, Hash } from 'viem';
import { type ChainClient, hostsOf } from '../client.ts';
import type { Transfer } from './scan-events.ts';
import { signedTransaction } from './signed-transfer.ts';

/**
 * The plain transfer to an address that a transaction is, with who signed it as its sender: the first that a host shows signed. One request
 * to each host at most.
 * @param to in lower case @returns undefined where it is none, or no host shows it
 */
export async function findPlainTransfer(
  client: ChainClient,
  chainId: number,
  transactionHash: Hash,
  to: Address,
): Promise<Transfer | undefined> {
  const signed = await signedTransaction(hostsOf(client), transactionHash, chainId);
  if (signed?.to?.toLowerCase() !== to || BigInt(signed.value) === 0n) return undefined;
  return { transactionHash, from: signed.from, to, amountWei: BigInt(signed.value) };
}
