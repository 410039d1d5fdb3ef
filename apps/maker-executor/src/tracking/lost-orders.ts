import type { FinalTransaction, TransactionsRepository } from '@maker/execution-records';
import type { Hash } from 'viem';
import type { ChainAccess } from '../chain/chain-access.ts';
import type { LostOrders } from './book-transactions.ts';
import { isFilledOrder } from './purchases.ts';

/**
 * Compares the final transactions of a job with the chain, from the newest down to the first one whose block still stands.
 * @returns undefined while the chain is lower than the block of one of them
 */
export async function findLostOrders(
  jobId: string,
  transactions: TransactionsRepository,
  chain: ChainAccess,
): Promise<LostOrders | undefined> {
  const lost: FinalTransaction[] = [];
  let allBelowStand = false;
  for await (const transaction of transactions.finalFromNewest(jobId)) {
    const { inclusion } = transaction;
    if (!inclusion) continue;
    const { blockNumber, blockHash } = inclusion;
    const hash: Hash | undefined = allBelowStand ? blockHash : await chain.blockHash(blockNumber, blockHash);
    if (hash === undefined) return undefined;
    allBelowStand = hash === blockHash;
    if (!allBelowStand) lost.push({ transaction, inclusion });
    else if (lost.length === 0 || isFilledOrder({ transaction, inclusion }))
      return { lost: lost.toReversed(), standing: { transaction, inclusion } };
  }
  return { lost: lost.toReversed(), standing: undefined };
}
