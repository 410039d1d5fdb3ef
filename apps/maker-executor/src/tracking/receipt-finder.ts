import type { BlockHead, HeadFeed } from '@maker/chain';
import type { FinalTransaction, TransactionRecord } from '@maker/execution-records';
import type { Logger } from '@maker/service-kit';
import type { Address, Hash, TransactionReceipt } from 'viem';
import type { ChainAccess } from '../chain/chain-access.ts';
import { STUCK_AFTER_BLOCKS } from '../wallet/replacement.ts';
import { inclusionOf } from './inclusion.ts';

/** What receipts are looked for with. */
export interface ReceiptSearch {
  readonly head: BlockHead;
  /** The job's token, whose transfers are counted. */
  readonly tokenAddress: Address;
  /** Height at which this process last sent a transaction; null where it sent none, or where the receipt decides. */
  sentAtBlock(transaction: TransactionRecord): number | null;
}

/**
 * Finds our transactions in blocks: first by the lists of hashes of the remembered blocks, with one
 * `eth_getBlockReceipts` for each that holds some of ours; then by hash those that this process knows nothing of (after
 * a restart) or that are overdue. Source: design § 5.
 */
export class ReceiptFinder {
  constructor(
    private readonly chain: ChainAccess,
    private readonly feed: HeadFeed,
    private readonly logger: Logger,
  ) {}

  async find(transactions: readonly TransactionRecord[], search: ReceiptSearch): Promise<readonly FinalTransaction[]> {
    const receipts = await this.inRememberedBlocks(transactions, search.head);
    const found: FinalTransaction[] = [];
    for (const transaction of transactions) {
      const receipt = this.pick(transaction, receipts) ?? (await this.byHash(transaction, search));
      if (!receipt) continue;
      const blockAtMs = await this.timeOf(receipt);
      found.push({ transaction, inclusion: inclusionOf(transaction, receipt, search.tokenAddress, blockAtMs) });
    }
    return found;
  }

  /** Ids of mined transactions whose block is part of the chain that the newest block ends; only where that is not known receipts are asked for. */
  async standing(transactions: readonly TransactionRecord[]): Promise<readonly string[]> {
    const standing: string[] = [];
    for (const { id, inclusion } of transactions) {
      if (!inclusion) continue;
      const { hash, blockNumber, blockHash } = inclusion;
      const stands =
        this.feed.hashAt(blockNumber) === blockHash || (await this.chain.receipt(hash))?.blockHash === blockHash;
      if (stands) standing.push(id);
    }
    return standing;
  }

  private async inRememberedBlocks(transactions: readonly TransactionRecord[], head: BlockHead) {
    const ours = transactions.flatMap(({ attempts }) => attempts.map(({ hash }) => hash));
    const receipts = new Map<Hash, TransactionReceipt>();
    for (const block of this.feed.after(0)) {
      if (block.number > head.number || !ours.some((hash) => block.transactionHashes.has(hash))) continue;
      for (const receipt of await this.receiptsOf(block, ours)) receipts.set(receipt.transactionHash, receipt);
    }
    return receipts;
  }

  private async receiptsOf(block: BlockHead, ours: readonly Hash[]): Promise<readonly TransactionReceipt[]> {
    try {
      return await this.feed.receiptsOf(block);
    } catch (error) {
      this.logger.debug({ err: error }, 'block receipts unavailable, reading one by one');
      const held = ours.filter((hash) => block.transactionHashes.has(hash));
      const receipts = await Promise.all(held.map((hash) => this.chain.receipt(hash)));
      return receipts.filter((receipt) => receipt !== undefined);
    }
  }

  private pick(transaction: TransactionRecord, receipts: ReadonlyMap<Hash, TransactionReceipt>) {
    return transaction.attempts.map(({ hash }) => receipts.get(hash)).find((receipt) => receipt !== undefined);
  }

  private async byHash(
    transaction: TransactionRecord,
    { head, sentAtBlock }: ReceiptSearch,
  ): Promise<TransactionReceipt | undefined> {
    const sentAt = sentAtBlock(transaction);
    if (sentAt !== null && head.number - sentAt < STUCK_AFTER_BLOCKS) return undefined;
    for (const { hash } of transaction.attempts) {
      const receipt = await this.chain.receipt(hash);
      if (receipt && Number(receipt.blockNumber) <= head.number) return receipt;
    }
    return undefined;
  }

  private async timeOf(receipt: TransactionReceipt): Promise<number> {
    const block = this.feed.after(Number(receipt.blockNumber) - 1)[0];
    if (block?.number === Number(receipt.blockNumber)) return block.timestampMs;
    return this.chain.blockTime(receipt.blockNumber);
  }
}
