import {
  type BlockHead,
  type BlockReceipts,
  type HeadFeed,
  type Hosts,
  type ReceiptAnswer,
  votedBy,
} from '@maker/chain';
import { type FinalTransaction, type Inclusion, isShort, type TransactionRecord } from '@maker/execution-records';
import type { Address, TransactionReceipt } from 'viem';
import type { ChainAccess } from '../chain/chain-access.ts';
import { STUCK_AFTER_BLOCKS } from '../wallet/replacement.ts';
import { inclusionOf } from './inclusion.ts';

/** A transaction that is in a block. */
export interface FoundTransaction extends FinalTransaction {
  /** Hosts do not agree on it yet, or only one host reports a failure. */
  readonly isUnconfirmed?: true;
}

/** Ids of transactions that are confirmed in their blocks, and of those that have lost theirs. */
export interface Settled {
  readonly standing: readonly string[];
  readonly lost: readonly string[];
}

/** Inputs of a search for receipts. */
export interface ReceiptSearch {
  readonly head: BlockHead;
  /** The job's token, whose transfers are counted. */
  readonly tokenAddress: Address;
  /** Height at which this process last sent a transaction; null if it sent none, or if only the receipt can show the result. */
  sentAtBlock(transaction: TransactionRecord): number | null;
}

/**
 * Finds our transactions in blocks. First it searches the hashes of the remembered blocks, with one `eth_getBlockReceipts` to a
 * host for each block with some of ours. Then it asks by hash for transactions that are overdue or that this process did not send
 * (after a restart). Found ones are booked once hosts confirm them. Source: design § 5, docs/adr/0116.
 */
export class ReceiptFinder {
  constructor(
    private readonly chain: Pick<ChainAccess, 'blockTime'>,
    private readonly feed: Pick<HeadFeed, 'after' | 'hashAt'>,
    private readonly receipts: BlockReceipts,
    private readonly hosts: Pick<Hosts, 'trustsSingle'>,
  ) {}

  async find(transactions: readonly TransactionRecord[], search: ReceiptSearch): Promise<readonly FoundTransaction[]> {
    const { tokenAddress } = search;
    const found: FoundTransaction[] = [];
    for (const transaction of transactions) {
      const answers = (await this.inRememberedBlocks(transaction, search)) ?? (await this.byHash(transaction, search));
      const receipt = answers && shownByMost(answers);
      if (!receipt || Number(receipt.blockNumber) > search.head.number) continue;
      const inclusion = inclusionOf(transaction, receipt, tokenAddress, await this.timeOf(receipt));
      const isConfirmed = this.judge({ transaction, inclusion }, answers, tokenAddress) === 'standing';
      found.push({ transaction, inclusion, ...(!isConfirmed && { isUnconfirmed: true }) });
    }
    return found;
  }

  /** Asks hosts which transactions in blocks still stand, and which are lost. */
  async settled(finals: readonly FinalTransaction[], tokenAddress: Address): Promise<Settled> {
    const settled: Record<keyof Settled, string[]> = { standing: [], lost: [] };
    for (const final of finals) {
      const { hash, blockNumber: number, blockHash } = final.inclusion;
      // The feed has another block at this height or none: earlier answers of hosts may be out of date.
      const isFresh = this.feed.hashAt(number) !== blockHash;
      const answers = await this.receipts.inBlock(hash, { number, hash: blockHash }, isFresh);
      const verdict = this.judge(final, answers, tokenAddress);
      if (verdict) settled[verdict].push(final.transaction.id);
    }
    return settled;
  }

  /**
   * A transaction stands if two hosts show the same inclusion, or if the only host that answers shows a success. It is lost if two
   * hosts show another inclusion or none.
   */
  private judge(
    { transaction, inclusion }: FinalTransaction,
    answers: readonly ReceiptAnswer[],
    token: Address,
  ): keyof Settled | undefined {
    const areAlike = answers.map(
      (receipt) => receipt !== undefined && isSame(inclusion, inclusionOf(transaction, receipt, token, 0)),
    );
    const isGood = inclusion.succeeded && !isShort({ ...transaction, inclusion });
    const isUnopposed = isGood && areAlike.length === 1 && areAlike[0];
    const stands = isUnopposed || votedBy(areAlike, this.hosts.trustsSingle);
    if (stands === undefined) return undefined;
    return stands ? 'standing' : 'lost';
  }

  /** @returns answers of hosts about the attempt that is in a remembered block */
  private async inRememberedBlocks(
    { attempts }: TransactionRecord,
    { head }: ReceiptSearch,
  ): Promise<readonly ReceiptAnswer[] | undefined> {
    for (const block of this.feed.after(0)) {
      const attempt = attempts.find(({ hash }) => block.transactionHashes.has(hash));
      if (!attempt || block.number > head.number) continue;
      const answers = await this.receipts.inBlock(attempt.hash, block);
      if (shownByMost(answers)) return answers;
    }
    return undefined;
  }

  private async byHash(
    transaction: TransactionRecord,
    { head, sentAtBlock }: ReceiptSearch,
  ): Promise<readonly ReceiptAnswer[] | undefined> {
    const sentAt = sentAtBlock(transaction);
    if (sentAt !== null && head.number - sentAt < STUCK_AFTER_BLOCKS) return undefined;
    for (const { hash } of transaction.attempts) {
      const answers = await this.receipts.byHash(hash);
      if (shownByMost(answers)) return answers;
    }
    return undefined;
  }

  private async timeOf(receipt: TransactionReceipt): Promise<number> {
    const block = this.feed.after(Number(receipt.blockNumber) - 1)[0];
    if (block?.number === Number(receipt.blockNumber)) return block.timestampMs;
    return this.chain.blockTime(receipt.blockNumber);
  }
}

/** Returns the receipt that most hosts show, without hosts that show none because they lag. */
function shownByMost(answers: readonly ReceiptAnswer[]): ReceiptAnswer {
  const shown = answers.filter((receipt) => receipt !== undefined);
  const groups = [...Map.groupBy(shown, ({ status, blockHash }) => `${blockHash} ${status}`).values()];
  return groups.sort((one, other) => other.length - one.length)[0]?.[0];
}

/** Whether two inclusions agree in all booked fields. */
function isSame(one: Inclusion, other: Inclusion): boolean {
  const fields = ['blockHash', 'succeeded', 'gasWei', 'movedWei', 'receivedTokens', 'sentTokens'] as const;
  return fields.every((field) => one[field] === other[field]);
}
