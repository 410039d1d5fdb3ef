import type { Address } from 'viem';
import type { HostAgreement } from '../agreement/host-agreement.ts';
import { type Confirmation, confirmationBy } from '../scanner/confirm-transfers.ts';
import { walletBalances } from './wallet-reads.ts';

/** A minimum balance of a wallet, wei, from a block on. */
export interface LeastBalance {
  readonly address: Address;
  readonly leastWei: bigint;
  readonly sinceBlock: number;
}

/**
 * Asks each host whether wallets have minimum balances: one or two requests to a host for any number of wallets. A host that has not
 * reached the block yet does not count.
 */
export async function confirmBalances(
  hosts: HostAgreement,
  balances: readonly LeastBalance[],
): Promise<readonly Confirmation[]> {
  return (await votesOn(hosts, balances)).map(({ yes, answers }) => confirmationBy(yes, answers));
}

/** Asks the same. @returns the answer that hosts agree on; undefined where they agree on neither */
export async function judgeBalances(
  hosts: HostAgreement,
  balances: readonly LeastBalance[],
): Promise<readonly (boolean | undefined)[]> {
  return (await votesOn(hosts, balances)).map(({ yes, answers }) => {
    if (hosts.isEnough(yes, answers)) return true;
    return hosts.isEnough(answers - yes, answers) ? false : undefined;
  });
}

/** For each balance, the number of hosts that answered, and the number of them that confirm it. */
async function votesOn(
  hosts: HostAgreement,
  balances: readonly LeastBalance[],
): Promise<readonly { readonly yes: number; readonly answers: number }[]> {
  const addresses = [...new Set(balances.map(({ address }) => address))];
  const all = await hosts.answers((client) => walletBalances(client, addresses));
  return balances.map(({ address, leastWei, sinceBlock }) => {
    const readings = all.flatMap((of) => of.get(address) ?? []).filter(({ blockNumber }) => blockNumber >= sinceBlock);
    return { yes: readings.filter(({ balanceWei }) => balanceWei >= leastWei).length, answers: readings.length };
  });
}
