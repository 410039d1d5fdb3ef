import type { Address } from 'viem';
import type { HostAgreement } from '../agreement/host-agreement.ts';
import { type Confirmation, confirmationBy } from '../scanner/confirm-transfers.ts';
import { type WalletBalance, walletBalances } from './wallet-reads.ts';

/** What a wallet has at least, wei, from a block on. */
export interface LeastBalance {
  readonly address: Address;
  readonly leastWei: bigint;
  readonly sinceBlock: number;
}

/**
 * Asks each host whether wallets have at least some balance: one or two requests to a host, however many they are. Of a host that is not
 * yet at the block nothing is heard.
 */
export async function confirmBalances(
  hosts: HostAgreement,
  balances: readonly LeastBalance[],
): Promise<readonly Confirmation[]> {
  const addresses = [...new Set(balances.map(({ address }) => address))];
  const told = await hosts.told((client) => walletBalances(client, addresses));
  return balances.map((least) => confirmationOf(least, told));
}

function confirmationOf(
  { address, leastWei, sinceBlock }: LeastBalance,
  told: readonly ReadonlyMap<Address, WalletBalance>[],
): Confirmation {
  const heard = told.flatMap((balances) => balances.get(address) ?? []).filter((one) => one.blockNumber >= sinceBlock);
  const yes = heard.filter(({ balanceWei }) => balanceWei >= leastWei).length;
  return confirmationBy(yes, heard.length);
}
