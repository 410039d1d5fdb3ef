import { reconcileJob } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Controller } from '@nestjs/common';
import { getAddress } from 'viem';
import type { z } from 'zod';
import { ChainAccess } from '../chain/chain-access.ts';
import { HeadFeed } from '../chain/head-feed.ts';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { explainReconciliation } from './explain-reconciliation.ts';

/** Answers how a wallet's ledger and the chain relate, and has one that differs settled. */
@Controller()
export class ReconcileJobHandler {
  constructor(
    private readonly connection: Connection,
    private readonly chain: ChainAccess,
    private readonly feed: HeadFeed,
    private readonly executions: ExecutionsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly refunds: RefundsRepository,
  ) {}

  @HandleRequest(reconcileJob)
  async reconcile({ jobId, walletAddress: asked }: z.output<typeof reconcileJob.request>) {
    const execution = await this.executions.find(jobId);
    const walletAddress = execution?.walletAddress ?? getAddress(asked);
    const { head } = this.feed;
    const chainWei = head && (await this.chain.balance(walletAddress, head.number));
    if (!head || chainWei === undefined)
      throw new RequestFailure('SERVICE_UNAVAILABLE', 'The chain cannot be read now');
    const [usedNonces, signedNonces, open, refunds] = await Promise.all([
      this.chain.usedNonces(walletAddress),
      this.transactions.countOf(this.chain.network.chainId, walletAddress),
      this.transactions.open(jobId),
      this.refunds.ofJob(jobId),
    ]);
    const wallet = { jobId, walletAddress, blockNumber: head.number, chainWei, usedNonces, signedNonces };
    const answer = explainReconciliation({ ...wallet, openTransactions: open.length }, execution, refunds);
    if (execution && execution.phase !== 'refused' && (answer.verdict === 'surplus' || answer.verdict === 'missing')) {
      await inTransaction(this.connection, (session) => this.executions.signal(jobId, { attention: true }, session));
    }
    return answer;
  }
}
