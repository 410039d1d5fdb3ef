import { type Hash, toHex } from 'viem';
import type { Hosts } from '../agreement/hosts.ts';
import type { ChainClient } from '../client.ts';
import { quorumOf } from '../quorum.ts';
import { rpcRequestOf } from './rpc-request.ts';
import type { Transfer } from './scan-events.ts';
import { statusesIn } from './successful-transfers.ts';

/** The hosts' answer about a claim. `contradicted`: hosts deny it, or do not agree. `unanswered`: too few hosts answered. */
export type Confirmation = 'confirmed' | 'contradicted' | 'unanswered';

/**
 * Asks each host whether transfers are in a block and succeeded: one request to a host for any number of transfers. A transaction's hash
 * binds its sender, recipient and value, so nothing else needs confirmation.
 * @param transfers of one block
 */
export async function confirmTransfers(
  hosts: Hosts,
  transfers: readonly Transfer[],
  block: { readonly number: number; readonly hash: Hash },
): Promise<ReadonlyMap<Hash, Confirmation>> {
  const answers = await hosts.answers((host) => successfulAt(host, transfers, block), { onlyInUse: true });
  return new Map(
    transfers.map(({ transactionHash }) => {
      const votes = answers.map((hashes) => hashes.has(transactionHash));
      return [transactionHash, confirmationBy(votes, hosts.trustsSingle)];
    }),
  );
}

/** The answer about a claim. @param votes whether each host that answered confirms it */
export function confirmationBy(votes: readonly boolean[], trustsSingle: boolean): Confirmation {
  const verdict = quorumOf(votes, trustsSingle);
  if (verdict.kind === 'unanswered') return 'unanswered';
  return verdict.kind === 'agreed' && verdict.answers[0] ? 'confirmed' : 'contradicted';
}

async function successfulAt(
  host: ChainClient,
  transfers: readonly Transfer[],
  { number, hash }: { readonly number: number; readonly hash: Hash },
): Promise<ReadonlySet<Hash>> {
  const statuses = await statusesIn(rpcRequestOf(host), transfers, { number: toHex(number), hash });
  return new Set([...statuses].filter(([, status]) => status === '0x1').map(([transactionHash]) => transactionHash));
}
