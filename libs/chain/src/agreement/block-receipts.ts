import { LRUCache } from 'lru-cache';
import { BlockNotFoundError, type Hash, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { getBlockReceipts } from 'viem/actions';
import type { ChainClient } from '../client.ts';
import type { HostAgreement } from './host-agreement.ts';

/** Lists of receipts that are remembered, of a block of one host each. */
const MOST_REMEMBERED = 256;

/** What a host shows of a transaction; undefined where it shows none. */
export type ReceiptAnswer = TransactionReceipt | undefined;

/** What each host shows of receipts: one request to a host for each block that holds some of ours, shared by all executions. */
export class BlockReceipts {
  private readonly lists = new LRUCache<string, Promise<readonly TransactionReceipt[]>>({ max: MOST_REMEMBERED });
  private readonly hosts: HostAgreement;

  constructor(hosts: HostAgreement) {
    this.hosts = hosts;
  }

  /** Of a transaction in a block. @param isFresh whether hosts are asked again what they have told before */
  inBlock(
    hash: Hash,
    block: { readonly number: number; readonly hash: Hash },
    isFresh = false,
  ): Promise<readonly ReceiptAnswer[]> {
    return this.hosts.told(async (client) => {
      const receipts = await this.listOf(client, hash, block, isFresh);
      return receipts.find(({ transactionHash, blockHash }) => transactionHash === hash && blockHash === block.hash);
    });
  }

  /** Of a transaction in whatever block. */
  byHash(hash: Hash): Promise<readonly ReceiptAnswer[]> {
    return this.hosts.told((client) => receiptOf(client, hash));
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
      // A node that is late, or of another branch, may have the block in a moment.
      if (!receipts.some(({ blockHash }) => blockHash === block.hash)) this.lists.delete(key);
      return receipts;
    } catch (error) {
      this.lists.delete(key);
      if (error instanceof BlockNotFoundError) return [];
      // Not every node gives the receipts of a block.
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
