import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Address, Hash, TransactionReceipt } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { type BlockHead, HeadFeed } from '../chain/head-feed.ts';
import { Broadcaster } from '../send/broadcaster.ts';
import { STUCK_AFTER_BLOCKS } from '../send/replacement.ts';
import type { FinalTransaction, TransactionRecord } from '../transaction/transaction.ts';
import { inclusionOf } from './inclusion.ts';

/**
 * Finds our transactions in blocks: first by the lists of hashes of the remembered blocks, with one
 * `eth_getBlockReceipts` for each that holds some of ours; then by hash those that this process knows nothing of (after
 * a restart) or that are overdue. Source: design § 5.
 */
@Injectable()
export class ReceiptFinder {
  constructor(
    private readonly chain: ChainAccess,
    private readonly feed: HeadFeed,
    private readonly broadcaster: Broadcaster,
    private readonly logger: Logger,
  ) {}

  /** @param tokenAddress the job's token, whose transfers are counted */
  async find(
    transactions: readonly TransactionRecord[],
    head: BlockHead,
    tokenAddress: Address,
  ): Promise<readonly FinalTransaction[]> {
    if (transactions.length === 0) return [];
    const receipts = await this.inRememberedBlocks(transactions, head);
    const found: FinalTransaction[] = [];
    for (const transaction of transactions) {
      const receipt = this.pick(transaction, receipts) ?? (await this.byHash(transaction, head));
      if (!receipt) continue;
      const blockAtMs = await this.timeOf(receipt);
      found.push({ transaction, inclusion: inclusionOf(transaction, receipt, tokenAddress, blockAtMs) });
    }
    return found;
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
      this.logger.debug({ err: error }, 'receipts of a block cannot be read at once; they are read one by one');
      const held = ours.filter((hash) => block.transactionHashes.has(hash));
      const receipts = await Promise.all(held.map((hash) => this.chain.receipt(hash)));
      return receipts.filter((receipt) => receipt !== undefined);
    }
  }

  private pick(transaction: TransactionRecord, receipts: ReadonlyMap<Hash, TransactionReceipt>) {
    return transaction.attempts.map(({ hash }) => receipts.get(hash)).find((receipt) => receipt !== undefined);
  }

  private async byHash(transaction: TransactionRecord, head: BlockHead): Promise<TransactionReceipt | undefined> {
    const sentAt = this.broadcaster.sentAtBlock(transaction);
    if (sentAt !== undefined && head.number - sentAt < STUCK_AFTER_BLOCKS) return undefined;
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
