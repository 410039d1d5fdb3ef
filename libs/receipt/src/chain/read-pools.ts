import type { Exchange } from '@maker/chain/venues';
import { type Address, BaseError, ExecutionRevertedError, type Hex, type PublicClient } from 'viem';
import type { TransactionFact } from './chain-facts.ts';
import { poolKey, readPurchase } from './read-purchase.ts';

/**
 * Reads the pool of each purchase from the factories of known exchanges, once for each pool. The newest state is valid for past
 * orders, because a factory never removes a pool.
 * @throws the client's error if the endpoint does not answer
 */
export async function readPools(
  client: Pick<PublicClient, 'call'>,
  orders: readonly TransactionFact[],
  venues: readonly Exchange[],
): Promise<ReadonlyMap<string, Address | null>> {
  const pools = new Map<string, Address | null>();
  for (const order of orders) {
    const read = readPurchase(order, venues);
    if (!read?.venue) continue;
    const { venue, proof, purchase } = read;
    const key = poolKey(venue, purchase);
    if (pools.has(key)) continue;
    const { calls, decode } = proof.poolOf(venue, purchase);
    const returned: (Hex | undefined)[] = [];
    for (const { to, data } of calls) returned.push(await answer(client, to, data));
    pools.set(key, (decode(returned)?.toLowerCase() as Address | undefined) ?? null);
  }
  return pools;
}

/** @returns undefined if the call reverts */
async function answer(client: Pick<PublicClient, 'call'>, to: Address, data: Hex): Promise<Hex | undefined> {
  try {
    return (await client.call({ to, data })).data;
  } catch (error) {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError)) return undefined;
    throw error;
  }
}
