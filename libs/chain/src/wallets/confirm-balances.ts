import type { Address } from 'viem';
import type { HostAgreement } from '../agreement/host-agreement.ts';
import { type Confirmation, confirmationBy } from '../scanner/confirm-transfers.ts';
import { walletBalances } from './wallet-reads.ts';

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
  return (await votesOn(hosts, balances)).map(({ yes, heard }) => confirmationBy(yes, heard));
}

/** Asks the same. @returns what hosts agree on: undefined where they agree on neither */
export async function judgeBalances(
  hosts: HostAgreement,
  balances: readonly LeastBalance[],
): Promise<readonly (boolean | undefined)[]> {
  return (await votesOn(hosts, balances)).map(({ yes, heard }) => {
    if (hosts.isEnough(yes, heard)) return true;
    return hosts.isEnough(heard - yes, heard) ? false : undefined;
  });
}

/** How many hosts were heard of each balance, and how many of these show it. */
async function votesOn(
  hosts: HostAgreement,
  balances: readonly LeastBalance[],
): Promise<readonly { readonly yes: number; readonly heard: number }[]> {
  const addresses = [...new Set(balances.map(({ address }) => address))];
  const told = await hosts.told((client) => walletBalances(client, addresses));
  return balances.map(({ address, leastWei, sinceBlock }) => {
    const readings = told.flatMap((of) => of.get(address) ?? []).filter(({ blockNumber }) => blockNumber >= sinceBlock);
    return { yes: readings.filter(({ balanceWei }) => balanceWei >= leastWei).length, heard: readings.length };
  });
}
