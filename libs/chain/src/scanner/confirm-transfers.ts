import { type Hash, toHex } from 'viem';
import { type ChainClient, hostsOf } from '../client.ts';
import type { EndpointHost } from '../endpoints/endpoint-pool.ts';
import type { Transfer } from './scan-events.ts';
import { statusesIn } from './successful-transfers.ts';

/**
 * The hosts' answer about a transfer. `confirmed`: at least two hosts, and a majority, have it in its block as succeeded. `contradicted`:
 * at least two answered without confirming it. `unanswered`: fewer than two answered.
 */
export type Confirmation = 'confirmed' | 'contradicted' | 'unanswered';

/**
 * Asks each host whether transfers are in a block and succeeded: one request to a host for any number of transfers. A transaction's hash
 * binds its sender, recipient and value, so nothing else needs confirmation.
 * @param transfers of one block
 */
export async function confirmTransfers(
  client: ChainClient,
  transfers: readonly Transfer[],
  block: { readonly number: number; readonly hash: Hash },
): Promise<ReadonlyMap<Hash, Confirmation>> {
  const answers = await Promise.all(hostsOf(client).map((host) => successfulAt(host, transfers, block)));
  const received = answers.filter((answer) => answer !== undefined);
  return new Map(
    transfers.map(({ transactionHash }) => {
      const yes = received.filter((hashes) => hashes.has(transactionHash)).length;
      return [transactionHash, confirmationBy(yes, received.length)];
    }),
  );
}

/** Judges a claim by the number of answers. @param yes answers that confirm it */
export function confirmationBy(yes: number, answers: number): Confirmation {
  if (answers < 2) return 'unanswered';
  return yes >= 2 && yes * 2 > answers ? 'confirmed' : 'contradicted';
}

/** @returns undefined where the host does not answer */
async function successfulAt(
  host: EndpointHost,
  transfers: readonly Transfer[],
  { number, hash }: { readonly number: number; readonly hash: Hash },
): Promise<ReadonlySet<Hash> | undefined> {
  try {
    const statuses = await statusesIn(host.request, transfers, { number: toHex(number), hash });
    return new Set([...statuses].filter(([, status]) => status === '0x1').map(([transactionHash]) => transactionHash));
  } catch {
    return undefined;
  }
}
