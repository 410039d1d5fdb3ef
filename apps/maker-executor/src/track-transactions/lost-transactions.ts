import { Clock, Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Hash } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { Broadcaster } from '../send/broadcaster.ts';
import type { FinalTransaction } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { type LostOrders, reverseBooking } from './book-transactions.ts';
import { isFilledOrder } from './purchases.ts';

/**
 * Opens final transactions again whose blocks have left the chain, and takes back what was booked of them. From then on
 * they are followed as any other: the same bytes are sent until they are in a block once more.
 */
@Injectable()
export class LostTransactions {
  constructor(
    private readonly chain: ChainAccess,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly broadcaster: Broadcaster,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** @returns the execution, and whether every transaction of the wallet is final on the chain as it is now */
  async reopen(leased: LeasedExecution): Promise<{ readonly leased: LeasedExecution; readonly allStand: boolean }> {
    const { execution } = leased;
    const found = await this.lost(execution.id);
    if (!found) return { leased, allStand: false };
    const { lost } = found;
    if (lost.length === 0) return { leased, allStand: leased.open.length === 0 };
    const ids = lost.map(({ transaction }) => transaction.id);
    const { entries, change } = reverseBooking(execution, found, new Date(this.clock.now()));
    const after = await this.writer.write(leased, change, async (session) => {
      await this.transactions.reopen(ids, session);
      await this.ledger.append(entries, session);
    });
    for (const { transaction } of lost) this.broadcaster.forget(transaction);
    this.logger.error(
      { jobId: execution.id, transactions: ids },
      'final transactions have left the chain: what was booked of them is taken back, and their bytes are sent again',
    );
    return { leased: { ...after, open: await this.transactions.open(execution.id) }, allStand: false };
  }

  /** Undefined while the chain is lower than the block of one of them. */
  private async lost(jobId: string): Promise<LostOrders | undefined> {
    const lost: FinalTransaction[] = [];
    let allBelowStand = false;
    for await (const transaction of this.transactions.finalFromNewest(jobId)) {
      const { inclusion } = transaction;
      if (!inclusion) continue;
      const hash: Hash | undefined = allBelowStand
        ? inclusion.blockHash
        : await this.chain.blockHash(inclusion.blockNumber);
      if (hash === undefined) return undefined;
      allBelowStand = hash === inclusion.blockHash;
      if (!allBelowStand) lost.push({ transaction, inclusion });
      else if (lost.length === 0 || isFilledOrder({ transaction, inclusion }))
        return { lost: lost.toReversed(), standing: { transaction, inclusion } };
    }
    return { lost: lost.toReversed(), standing: undefined };
  }
}
