import type { Address } from 'viem';
import type { Hosts } from '../agreement/hosts.ts';
import { quorumOf, votedBy } from '../quorum.ts';
import { walletBalances } from './wallet-reads.ts';

/** The hosts' answer about a balance. `contradicted`: hosts deny it, or do not agree. `unanswered`: too few hosts answered. */
export type Confirmation = 'confirmed' | 'contradicted' | 'unanswered';

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
  hosts: Hosts,
  balances: readonly LeastBalance[],
): Promise<readonly Confirmation[]> {
  return (await votesOn(hosts, balances)).map((votes) => confirmationBy(votes, hosts.trustsSingle));
}

/** The answer about a balance. @param votes whether each host that answered shows it */
function confirmationBy(votes: readonly boolean[], trustsSingle: boolean): Confirmation {
  const verdict = quorumOf(votes, trustsSingle);
  if (verdict.kind === 'unanswered') return 'unanswered';
  return verdict.kind === 'agreed' && verdict.answers[0] ? 'confirmed' : 'contradicted';
}

/** Asks the same. @returns the answer that hosts agree on; undefined where they agree on neither */
export async function proveBalances(
  hosts: Hosts,
  balances: readonly LeastBalance[],
): Promise<readonly (boolean | undefined)[]> {
  return (await votesOn(hosts, balances)).map((votes) => votedBy(votes, hosts.trustsSingle));
}

/** For each balance, whether each host that answered confirms it. */
async function votesOn(hosts: Hosts, balances: readonly LeastBalance[]): Promise<readonly (readonly boolean[])[]> {
  const addresses = [...new Set(balances.map(({ address }) => address))];
  const all = await hosts.answers((client) => walletBalances(client, addresses));
  return balances.map(({ address, leastWei, sinceBlock }) => {
    const readings = all.flatMap((of) => of.get(address) ?? []).filter(({ blockNumber }) => blockNumber >= sinceBlock);
    return readings.map(({ balanceWei }) => balanceWei >= leastWei);
  });
}
