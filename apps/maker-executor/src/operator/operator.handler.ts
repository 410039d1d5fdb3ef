import { randomUUID } from 'node:crypto';
import { executionPaused, rebroadcast, reconcileJob, setPause } from '@maker/contracts';
import { ALL_JOBS, type Execution, explainReconciliation } from '@maker/execution-records';
import { HandleRequest, Outbox, RequestFailure } from '@maker/messaging';
import { inTransaction } from '@maker/persistence';
import { Logger } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { getAddress } from 'viem';
import type { z } from 'zod';
import { NotPossibleNow } from '../execution/not-possible-now.ts';
import { Broadcaster } from '../runner/broadcaster.ts';
import { TickSources } from '../runner/tick-sources.ts';
import { unconfirmed } from '../session/session.ts';

/**
 * Carries out commands that move no new money and so need no signature: a pause, a rebroadcast of signed bytes, a comparison.
 * The job service's audit log has the operator and the reason of each.
 */
@Controller()
export class OperatorHandler {
  constructor(
    private readonly sources: TickSources,
    private readonly broadcaster: Broadcaster,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  @HandleRequest(setPause)
  async pause({ jobId, operator }: z.output<typeof setPause.request>) {
    const { database, feed } = this.sources;
    const pause = { by: operator, since: new Date(feed.chainNowMs) };
    this.logger.warn({ jobId: jobId ?? 'all', operator }, 'pause commanded by an operator');
    const pauses = await database.facts.pauses();
    if (jobId === undefined) {
      await inTransaction(database.connection, async (session) => {
        await database.facts.record(ALL_JOBS, 'pause', session, pause);
        if (!pauses.has(ALL_JOBS)) await this.beginPause(ALL_JOBS, pause.since, session);
      });
      return { outcome: 'nothing is signed for any job' };
    }
    await this.get(jobId);
    if (pauses.has(jobId)) return { outcome: 'it was paused already' };
    await inTransaction(database.connection, async (session) => {
      await database.facts.record(jobId, 'pause', session, pause);
      await this.beginPause(jobId, pause.since, session);
      await this.outbox.record(executionPaused, { jobId, data: { reason: 'operator' } }, session);
    });
    return { outcome: 'nothing is signed for this job' };
  }

  @HandleRequest(rebroadcast)
  async sendAgain({ jobId }: z.output<typeof rebroadcast.request>) {
    await this.get(jobId);
    const waiting = unconfirmed(await this.sources.database.transactions.open(jobId));
    const answers = await this.broadcaster.again(waiting);
    const listed = waiting.map(({ nonce }, index) => `nonce ${nonce}: ${answers[index]}`).join(', ');
    return { outcome: waiting.length === 0 ? 'no transaction waits for a block' : `sent again: ${listed}` };
  }

  /** Compares a wallet's ledger with the chain. If they differ, the wallet's owner settles it. */
  @HandleRequest(reconcileJob)
  async reconcile({ jobId, walletAddress: asked }: z.output<typeof reconcileJob.request>) {
    const { chain, feed, database } = this.sources;
    const { executions, transactions, refunds, facts } = database;
    const execution = await executions.find(jobId);
    const walletAddress = execution?.walletAddress ?? getAddress(asked);
    const { head } = feed;
    const chainWei = head && (await chain.balance(walletAddress, head.number));
    if (!head || chainWei === undefined)
      throw new RequestFailure('SERVICE_UNAVAILABLE', 'The chain cannot be read now');
    const signedNonces = await transactions.countOf(chain.network.chainId, walletAddress);
    const [usedNonces, open, all] = await Promise.all([
      chain.usedNonces(walletAddress, signedNonces),
      transactions.open(jobId),
      refunds.ofJob(jobId),
    ]);
    const wallet = { jobId, walletAddress, blockNumber: head.number, chainWei, usedNonces, signedNonces };
    const answer = explainReconciliation({ ...wallet, openTransactions: open.length }, execution, all);
    const differs = answer.verdict === 'surplus' || answer.verdict === 'missing';
    if (execution && execution.phase !== 'refused' && differs)
      await inTransaction(database.connection, (session) => facts.record(jobId, 'settle', session));
    return answer;
  }

  /** Records the pause for the receipt. */
  private async beginPause(jobId: string, since: Date, session: ClientSession): Promise<void> {
    const { pauses } = this.sources.database;
    await pauses.begin({ id: `${jobId}/operator/${randomUUID()}`, jobId, reason: 'operator', since }, session);
  }

  private async get(jobId: string): Promise<Execution> {
    const execution = await this.sources.database.executions.find(jobId);
    if (!execution) throw new NotPossibleNow('This job has no execution');
    return execution;
  }
}
