import type { BlockHead, BlockReceipts, HeadFeed, HostAgreement, ReceiptAnswer } from '@maker/chain';
import { type FinalTransaction, type Inclusion, isShort, type TransactionRecord } from '@maker/execution-records';
import type { Address, TransactionReceipt } from 'viem';
import type { ChainAccess } from '../chain/chain-access.ts';
import { STUCK_AFTER_BLOCKS } from '../wallet/replacement.ts';
import { inclusionOf } from './inclusion.ts';

/** A transaction that is in a block. */
export interface FoundTransaction extends FinalTransaction {
  /** Hosts do not show it alike yet, or it is bad news that one of them tells alone. */
  readonly isUnconfirmed?: true;
}

/** Ids of transactions that are in blocks, or that are in none after all. */
export interface Settled {
  readonly standing: readonly string[];
  readonly lost: readonly string[];
}

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
 * `eth_getBlockReceipts` to a host for each that holds some of ours; then by hash those that this process knows nothing of (after
 * a restart) or that are overdue. What is found is booked once hosts confirm it. Source: design § 5, docs/adr/0116.
 */
export class ReceiptFinder {
  constructor(
    private readonly chain: Pick<ChainAccess, 'blockTime'>,
    private readonly feed: Pick<HeadFeed, 'after' | 'hashAt'>,
    private readonly receipts: BlockReceipts,
    private readonly hosts: Pick<HostAgreement, 'isEnough'>,
  ) {}

  async find(transactions: readonly TransactionRecord[], search: ReceiptSearch): Promise<readonly FoundTransaction[]> {
    const { tokenAddress } = search;
    const found: FoundTransaction[] = [];
    for (const transaction of transactions) {
      const told = (await this.inRememberedBlocks(transaction, search)) ?? (await this.byHash(transaction, search));
      const receipt = told && shownByMost(told);
      if (!receipt || Number(receipt.blockNumber) > search.head.number) continue;
      const inclusion = inclusionOf(transaction, receipt, tokenAddress, await this.timeOf(receipt));
      const isConfirmed = this.judge({ transaction, inclusion }, told, tokenAddress) === 'standing';
      found.push({ transaction, inclusion, ...(!isConfirmed && { isUnconfirmed: true }) });
    }
    return found;
  }

  /** What hosts make of transactions in blocks by now. */
  async settled(finals: readonly FinalTransaction[], tokenAddress: Address): Promise<Settled> {
    const settled: Record<keyof Settled, string[]> = { standing: [], lost: [] };
    for (const final of finals) {
      const { hash, blockNumber: number, blockHash } = final.inclusion;
      // The newest block is of another branch, or too far above: what hosts told of this one may be over.
      const isFresh = this.feed.hashAt(number) !== blockHash;
      const told = await this.receipts.inBlock(hash, { number, hash: blockHash }, isFresh);
      const verdict = this.judge(final, told, tokenAddress);
      if (verdict) settled[verdict].push(final.transaction.id);
    }
    return settled;
  }

  /**
   * A transaction stands where two hosts show it alike, or the only one that answers shows a success. It is lost where two
   * show something else, or nothing.
   */
  private judge(
    { transaction, inclusion }: FinalTransaction,
    told: readonly ReceiptAnswer[],
    token: Address,
  ): keyof Settled | undefined {
    const alike = told.filter((receipt) => receipt && isSame(inclusion, inclusionOf(transaction, receipt, token, 0)));
    const isGood = inclusion.succeeded && !isShort({ ...transaction, inclusion });
    const isUnopposed = isGood && alike.length === 1 && told.length === 1;
    if (isUnopposed || this.hosts.isEnough(alike.length, told.length)) return 'standing';
    return this.hosts.isEnough(told.length - alike.length, told.length) ? 'lost' : undefined;
  }

  /** @returns what hosts tell of the attempt that a block holds */
  private async inRememberedBlocks(
    { attempts }: TransactionRecord,
    { head }: ReceiptSearch,
  ): Promise<readonly ReceiptAnswer[] | undefined> {
    for (const block of this.feed.after(0)) {
      const attempt = attempts.find(({ hash }) => block.transactionHashes.has(hash));
      if (!attempt || block.number > head.number) continue;
      const told = await this.receipts.inBlock(attempt.hash, block);
      if (shownByMost(told)) return told;
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
      const told = await this.receipts.byHash(hash);
      if (shownByMost(told)) return told;
    }
    return undefined;
  }

  private async timeOf(receipt: TransactionReceipt): Promise<number> {
    const block = this.feed.after(Number(receipt.blockNumber) - 1)[0];
    if (block?.number === Number(receipt.blockNumber)) return block.timestampMs;
    return this.chain.blockTime(receipt.blockNumber);
  }
}

/** The receipt that most hosts show: one that lags shows none. */
function shownByMost(told: readonly ReceiptAnswer[]): ReceiptAnswer {
  const shown = told.filter((receipt) => receipt !== undefined);
  const groups = [...Map.groupBy(shown, ({ status, blockHash }) => `${blockHash} ${status}`).values()];
  return groups.sort((one, other) => other.length - one.length)[0]?.[0];
}

/** Whether a host tells the same of a transaction as is to be booked. */
function isSame(one: Inclusion, other: Inclusion): boolean {
  const fields = ['blockHash', 'succeeded', 'gasWei', 'movedWei', 'receivedTokens', 'sentTokens'] as const;
  return fields.every((field) => one[field] === other[field]);
}
