import { LRUCache } from 'lru-cache';
import { BlockNotFoundError, type Hash, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { getBlockReceipts } from 'viem/actions';
import type { ChainClient } from '../client.ts';
import type { Hosts } from './hosts.ts';

/** Most cached lists of receipts; each is of one block of one host. */
const MOST_REMEMBERED = 256;

/** A host's receipt of a transaction; undefined where it has none. */
export type ReceiptAnswer = TransactionReceipt | undefined;

/** Reads receipts from each host: one request to a host for each block with our transactions, shared by all executions. */
export class BlockReceipts {
  private readonly lists = new LRUCache<string, Promise<readonly TransactionReceipt[]>>({ max: MOST_REMEMBERED });
  private readonly hosts: Hosts;

  constructor(hosts: Hosts) {
    this.hosts = hosts;
  }

  /** Each host's receipt of a transaction in a block. @param isFresh whether to ask hosts again instead of using the cache */
  inBlock(
    hash: Hash,
    block: { readonly number: number; readonly hash: Hash },
    isFresh = false,
  ): Promise<readonly ReceiptAnswer[]> {
    return this.hosts.answers(async (client) => {
      const receipts = await this.listOf(client, hash, block, isFresh);
      return receipts.find(({ transactionHash, blockHash }) => transactionHash === hash && blockHash === block.hash);
    });
  }

  /** Each host's receipt of a transaction, in any block. */
  byHash(hash: Hash): Promise<readonly ReceiptAnswer[]> {
    return this.hosts.answers((client) => receiptOf(client, hash));
  }

  private async listOf(
    client: ChainClient,
    hash: Hash,
    block: { readonly number: number; readonly hash: Hash },
    isFresh: boolean,
  ): Promise<readonly TransactionReceipt[]> {
    const key = `${client.uid}/${block.hash}`;
    const known = isFresh ? undefined : this.lists.get(key);
    const list = known ?? getBlockReceipts(client, { blockNumber: BigInt(block.number) });
    if (!known) this.lists.set(key, list);
    try {
      const receipts = await list;
      // A node that lags, or is on another branch, may have the block a moment later.
      if (!receipts.some(({ blockHash }) => blockHash === block.hash)) this.lists.delete(key);
      return receipts;
    } catch (error) {
      this.lists.delete(key);
      if (error instanceof BlockNotFoundError) return [];
      // Not every node serves the receipts of a block.
      const receipt = await receiptOf(client, hash);
      return receipt ? [receipt] : [];
    }
  }
}

async function receiptOf(client: ChainClient, hash: Hash): Promise<ReceiptAnswer> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}
