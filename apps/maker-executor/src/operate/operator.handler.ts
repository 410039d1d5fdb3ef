import { randomUUID } from 'node:crypto';
import {
  type CommandLogQuery,
  executionPaused,
  listCommands,
  listLedger,
  rebroadcast,
  setPause,
} from '@maker/contracts';
import { HandleRequest, Outbox } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Logger } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { HeadFeed } from '../chain/head-feed.ts';
import type { Execution } from '../execution/execution.ts';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { NotPossibleNow } from '../execution/not-possible-now.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { OperatorPauses } from '../pause/operator-pauses.ts';
import { ALL_JOBS, PausesRepository } from '../pause/pauses.repository.ts';
import { Broadcaster } from '../send/broadcaster.ts';
import { UNCONFIRMED_STATES } from '../transaction/transaction-state.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { CommandLog } from './command-log.repository.ts';

/**
 * Carries out what needs no signature, since it lets no money move: a pause, and bytes that were signed before. Who gave a
 * command and why is in the audit log of the job service.
 */
@Controller()
export class OperatorHandler {
  constructor(
    private readonly connection: Connection,
    private readonly executions: ExecutionsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly pauses: OperatorPauses,
    private readonly told: PausesRepository,
    private readonly broadcaster: Broadcaster,
    private readonly log: CommandLog,
    private readonly outbox: Outbox,
    private readonly feed: HeadFeed,
    private readonly logger: Logger,
  ) {}

  @HandleRequest(setPause)
  async pause({ jobId, operator }: z.output<typeof setPause.request>) {
    const pause = { by: operator, since: new Date(this.feed.chainNowMs) };
    this.logger.warn({ jobId: jobId ?? 'all', operator }, 'an operator pauses');
    if (jobId === undefined) {
      const isPaused = (await this.pauses.ofAll()) !== null;
      await inTransaction(this.connection, async (session) => {
        await this.pauses.setAll(pause, session);
        if (!isPaused) await this.tell(ALL_JOBS, pause.since, session);
      });
      return { outcome: 'nothing is signed for any job' };
    }
    const { operatorPause } = await this.get(jobId);
    if (operatorPause !== null) return { outcome: 'it was paused already' };
    await inTransaction(this.connection, async (session) => {
      await this.executions.signal(jobId, { operatorPause: pause }, session);
      await this.tell(jobId, pause.since, session);
      await this.outbox.record(executionPaused, { jobId, data: { reason: 'operator' } }, session);
    });
    return { outcome: 'nothing is signed for this job' };
  }

  @HandleRequest(listCommands)
  async commands({ after, limit }: CommandLogQuery) {
    return { commands: await this.log.list(after, limit) };
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

  /** The receipt tells of it. */
  private async tell(jobId: string, since: Date, session: ClientSession): Promise<void> {
    await this.told.begin({ id: `${jobId}/operator/${randomUUID()}`, jobId, reason: 'operator', since }, session);
  }

  private async get(jobId: string): Promise<Execution> {
    const execution = await this.executions.find(jobId);
    if (!execution) throw new NotPossibleNow('No money of this job was ever worked on');
    return execution;
  }
}
