import { ordersMined, transferSettled } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Clock, inSpan, Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { ChainAccess } from '../chain/chain-access.ts';
import { HeadFeed } from '../chain/head-feed.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import type { Execution } from '../execution/execution.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { type LeasedExecution, unconfirmed } from '../execution/leased-execution.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { PausesRepository } from '../pause/pauses.repository.ts';
import { Broadcaster } from '../send/broadcaster.ts';
import { replacementOf, STUCK_AFTER_BLOCKS } from '../send/replacement.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import type { FinalTransaction, TransactionRecord } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { type Booking, bookTransactions } from './book-transactions.ts';
import { isFinal } from './inclusion.ts';
import { ReceiptFinder } from './receipt-finder.ts';

/**
 * Follows a wallet's transactions to their end: finds them in blocks, books those that are final, and sends the bytes
 * of those that are in none again. After a restart it does so for all that the database holds.
 */
@Injectable()
export class TransactionTracker {
  constructor(
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    private readonly chain: ChainAccess,
    private readonly feed: HeadFeed,
    private readonly finder: ReceiptFinder,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly broadcaster: Broadcaster,
    private readonly sender: TransactionSender,
    private readonly pauses: PausesRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
  ) {}

  /** @returns the execution after what the new blocks hold */
  async track(leased: LeasedExecution): Promise<LeasedExecution> {
    if (leased.open.length === 0) return leased;
    const settled = await this.settle(leased);
    return this.sendAgain(settled);
  }

  private async settle(leased: LeasedExecution): Promise<LeasedExecution> {
    const { head, execution } = leased;
    const found = await this.finder.find(unconfirmed(leased), head, execution.tokenAddress);
    const { deep, lost } = await this.recheckMined(leased);
    const finals = [...deep, ...found.filter(({ inclusion }) => this.isFinal(inclusion, head.number))];
    if (found.length === 0 && finals.length === 0 && lost.length === 0) return leased;

    finals.sort((one, other) => one.transaction.nonce - other.transaction.nonce);
    const booking = bookTransactions(execution, finals, new Date(this.clock.now()));
    const finalIds = finals.map(({ transaction }) => transaction.id);
    const lostIds = lost.map(({ id }) => id);
    const { id, origin = {} } = execution;
    const attributes = {
      'maker.job.id': id,
      'maker.transactions.mined': found.length,
      'maker.transactions.final': finals.length,
      'maker.block.number': head.number,
    };
    const after = await inSpan('settle transactions', { origin, attributes }, () =>
      this.writer.write(leased, booking.change, async (session) => {
        for (const { transaction, inclusion } of found)
          await this.transactions.include(transaction.id, inclusion, session);
        if (finalIds.length > 0) await this.transactions.enter(finalIds, 'final', session);
        if (lostIds.length > 0) await this.transactions.enter(lostIds, 'broadcast', session);
        await this.ledger.append(booking.entries, session);
        await this.recordOrders(execution, booking, session);
        await this.recordTransfers(finals, session);
      }),
    );
    this.report(found, booking);
    if (execution.ordersPlaced === 0 && booking.change.ordersPlaced > 0) await this.reportFirstOrder(execution, finals);
    for (const { transaction } of found) this.broadcaster.forget(transaction);
    return { ...after, open: await this.transactions.open(execution.id) };
  }

  /** Mined transactions that are deep enough by now, and those whose block is no longer there. */
  private async recheckMined({ open, head }: LeasedExecution) {
    const deep: FinalTransaction[] = [];
    const lost: TransactionRecord[] = [];
    for (const transaction of open) {
      const { inclusion } = transaction;
      if (transaction.state !== 'mined' || !inclusion || !this.isFinal(inclusion, head.number)) continue;
      if (await this.isStillIn(inclusion)) deep.push({ transaction, inclusion });
      else lost.push(transaction);
    }
    if (lost.length > 0) this.logger.warn({ count: lost.length }, 'blocks with our transactions were reorganised away');
    return { deep, lost };
  }

  /** Whether a transaction's block is part of the chain that the newest block ends; only where that is not known its receipt is asked for. */
  private async isStillIn({ hash, blockNumber, blockHash }: FinalTransaction['inclusion']): Promise<boolean> {
    if (this.feed.hashAt(blockNumber) === blockHash) return true;
    return (await this.chain.receipt(hash))?.blockHash === blockHash;
  }

  private async sendAgain(leased: LeasedExecution): Promise<LeasedExecution> {
    let current = leased;
    const again: TransactionRecord[] = [];
    for (const transaction of unconfirmed(leased)) {
      const sentAt = this.broadcaster.sentAtBlock(transaction);
      if (sentAt !== undefined && leased.head.number - sentAt < STUCK_AFTER_BLOCKS) continue;
      const replacement = replacementOf(transaction, {
        baseFeeWei: leased.head.baseFeeWei,
        tipWei: leased.head.tipWei,
        isStarved: this.broadcaster.isWaiting(transaction),
        refusedAsUnderpriced: this.broadcaster.wasUnderpriced(transaction),
        isUnwanted: isUnwanted(transaction, leased),
      });
      if (replacement) current = await this.sender.replace(current, transaction, replacement);
      else again.push(transaction);
    }
    return again.length > 0 ? this.broadcaster.broadcast(current, again) : current;
  }

  private async recordOrders(execution: Execution, booking: Booking, session: ClientSession): Promise<void> {
    const { totals, ordersPlaced } = booking.change;
    for (const { blockNumber, succeeded } of booking.orderBlocks) {
      await this.outbox.record(
        ordersMined,
        {
          jobId: execution.id,
          data: {
            blockNumber,
            minedInBlock: succeeded,
            ordersPlaced,
            tradedWei: totals.orderWei.toString(),
            tokensBought: totals.boughtWei.toString(),
            ...(execution.nextOrderAtMs !== null && { nextOrderAt: new Date(execution.nextOrderAtMs).toISOString() }),
          },
        },
        session,
      );
    }
  }

  private async recordTransfers(finals: readonly FinalTransaction[], session: ClientSession): Promise<void> {
    for (const { transaction, inclusion } of finals) {
      const { jobId, purpose: kind, to } = transaction;
      if (kind === 'order') continue;
      const amount = kind === 'delivery' ? inclusion.sentTokens : inclusion.movedWei;
      await this.outbox.record(
        transferSettled,
        {
          jobId,
          data: {
            kind,
            to,
            succeeded: inclusion.succeeded,
            transactionHash: inclusion.hash,
            amount: amount.toString(),
            gasWei: inclusion.gasWei.toString(),
            blockNumber: inclusion.blockNumber,
          },
        },
        session,
      );
    }
  }

  private report(found: readonly FinalTransaction[], booking: Booking): void {
    for (const { transaction, inclusion } of found) {
      const confirmedMs = inclusion.blockAt.getTime() - transaction.createdAt.getTime();
      this.metrics.confirmed(transaction.purpose, confirmedMs, inclusion.succeeded);
      if (inclusion.succeeded) continue;
      const { jobId, purpose, nonce } = transaction;
      this.logger.warn({ jobId, purpose, nonce, hash: inclusion.hash }, 'a transaction was mined and reverted');
    }
    for (const { kind, amountWei } of booking.entries) {
      if (kind === 'order_gas' || kind === 'gas') this.metrics.moved('gas', amountWei);
      else if (kind === 'fee' || kind === 'order' || kind === 'returned') this.metrics.moved(kind, amountWei);
    }
  }

  /** A job that had to wait, for cheaper gas or an operator, says nothing of how quickly jobs begin. */
  private async reportFirstOrder(execution: Execution, finals: readonly FinalTransaction[]): Promise<void> {
    const first = finals.find(({ transaction, inclusion }) => transaction.purpose === 'order' && inclusion.succeeded);
    if (!first || !execution.activatedAt) return;
    const { inAll } = await this.pauses.newest(execution, 1);
    if (inAll === 0) this.metrics.firstOrder(first.inclusion.blockAt.getTime() - execution.activatedAt.getTime());
  }

  private isFinal(inclusion: FinalTransaction['inclusion'], headNumber: number): boolean {
    return isFinal(inclusion, headNumber, this.configuration.CHAIN_CONFIRMATIONS);
  }
}

/** Whether nobody waits for an order any more: its job is cancelled, or it would revert since its time is over. */
function isUnwanted({ purpose, terms }: TransactionRecord, { execution, head }: LeasedExecution): boolean {
  if (purpose !== 'order') return false;
  return execution.cancelled || terms === undefined || head.timestampMs > terms.expiresAt.getTime();
}
