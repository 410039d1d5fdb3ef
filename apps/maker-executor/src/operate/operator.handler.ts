import { executionPaused, executionResumed, listLedger, rebroadcast, setPause } from '@maker/contracts';
import { HandleRequest, Outbox } from '@maker/messaging';
import { inTransaction, MONGO_CONNECTION } from '@maker/persistence';
import { Clock, LOGGER } from '@maker/service-kit';
import { Controller, Inject } from '@nestjs/common';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Execution } from '../execution/execution.ts';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { OperatorPauses } from '../pause/operator-pauses.ts';
import { Broadcaster } from '../send/broadcaster.ts';
import { UNCONFIRMED_STATES } from '../transaction/transaction-state.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { NotPossibleNow } from './decide-release.ts';

/** Carries out operators' commands on wallets. Who gave one and why is in the audit log of the job service. */
@Controller()
export class OperatorHandler {
  constructor(
    @Inject(MONGO_CONNECTION) private readonly connection: Connection,
    private readonly executions: ExecutionsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly pauses: OperatorPauses,
    private readonly broadcaster: Broadcaster,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @HandleRequest(setPause)
  async pause({ jobId, paused, operator }: z.output<typeof setPause.request>) {
    const pause = paused ? { by: operator, since: new Date(this.clock.now()) } : null;
    this.logger.warn({ jobId: jobId ?? 'all', paused, operator }, 'an operator changed a pause');
    if (jobId === undefined) {
      await inTransaction(this.connection, (session) => this.pauses.setAll(pause, session));
      return { outcome: paused ? 'nothing is signed for any job' : 'all jobs go on' };
    }
    const { operatorPause } = await this.get(jobId);
    if ((operatorPause !== null) === paused) return { outcome: paused ? 'it was paused already' : 'it was not paused' };
    await inTransaction(this.connection, async (session) => {
      await this.executions.signal(jobId, { operatorPause: pause }, session);
      const event = paused ? executionPaused : executionResumed;
      await this.outbox.record(event, { jobId, data: { reason: 'operator' } }, session);
    });
    return { outcome: paused ? 'nothing is signed for this job' : 'the job goes on' };
  }

  @HandleRequest(rebroadcast)
  async sendAgain({ jobId }: z.output<typeof rebroadcast.request>) {
    await this.get(jobId);
    const open = await this.transactions.open(jobId);
    const waiting = open.filter(({ state }) => UNCONFIRMED_STATES.includes(state));
    const answers = await this.broadcaster.again(waiting);
    const listed = waiting.map(({ nonce }, index) => `nonce ${nonce}: ${answers[index]}`).join(', ');
    return { outcome: waiting.length === 0 ? 'no transaction waits for a block' : `sent again: ${listed}` };
  }

  @HandleRequest(listLedger)
  async lines({ jobId, afterId, limit }: z.output<typeof listLedger.request>) {
    const entries = await this.ledger.list(jobId, afterId, limit);
    return {
      lines: entries.map(({ jobId: _, amountWei, recordedAt, ...same }) => ({
        ...same,
        amount: amountWei.toString(),
        recordedAt: recordedAt.toISOString(),
      })),
    };
  }

  private async get(jobId: string): Promise<Execution> {
    const execution = await this.executions.find(jobId);
    if (!execution) throw new NotPossibleNow('No money of this job was ever worked on');
    return execution;
  }
}
