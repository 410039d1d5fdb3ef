import {
  executionPaused,
  executionResumed,
  fundsReleased,
  listLedger,
  rebroadcast,
  releaseFunds,
  setPause,
} from '@maker/contracts';
import { HandleRequest, Outbox } from '@maker/messaging';
import { inTransaction, MONGO_CONNECTION } from '@maker/persistence';
import { formatHype } from '@maker/rules';
import { Clock, LOGGER } from '@maker/service-kit';
import { Controller, Inject } from '@nestjs/common';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { getAddress } from 'viem';
import type { z } from 'zod';
import type { Execution } from '../execution.ts';
import { ExecutionsRepository } from '../executions.repository.ts';
import { WalletOwner } from '../lease/wallet-owner.ts';
import { addEntries, ledgerEntry } from '../ledger/ledger-entry.ts';
import { LedgerRepository } from '../ledger.repository.ts';
import { OperatorPauses } from '../pause/operator-pauses.ts';
import { RefundsRepository } from '../refunds.repository.ts';
import { Broadcaster } from '../send/broadcaster.ts';
import { UNCONFIRMED_STATES } from '../send/transaction-state.ts';
import { TransactionsRepository } from '../transactions.repository.ts';
import { decideRelease, NotPossibleNow } from './release.ts';

/** Carries out what operators order of wallets. Who ordered it and why is in the audit log of the job service. */
@Controller()
export class OperatorHandler {
  constructor(
    @Inject(MONGO_CONNECTION) private readonly connection: Connection,
    private readonly executions: ExecutionsRepository,
    private readonly refunds: RefundsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly pauses: OperatorPauses,
    private readonly broadcaster: Broadcaster,
    private readonly owner: WalletOwner,
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
      await this.executions.tell(jobId, { operatorPause: pause }, session);
      const event = paused ? executionPaused : executionResumed;
      await this.outbox.record(event, { jobId, data: { reason: 'operator' } }, session);
    });
    return { outcome: paused ? 'nothing is signed for this job' : 'the job goes on' };
  }

  @HandleRequest(releaseFunds)
  async release({ jobId, to: wanted }: z.output<typeof releaseFunds.request>) {
    const execution = await this.get(jobId);
    const refunds = await this.refunds.ofJob(jobId);
    const { to, amountWei } = decideRelease(execution, refunds, wanted && getAddress(wanted));
    if (await this.executions.isWallet(to)) throw new NotPossibleNow('That is the wallet of another job');
    const releasedAt = new Date(this.clock.now());
    const entry = ledgerEntry(`${jobId}/release/${execution.revision}`, 'released', {
      ...{ jobId, amountWei, transactionHash: null, blockNumber: null },
      recordedAt: releasedAt,
    });
    const entries = amountWei === 0n ? [] : [entry];
    const change = {
      ...{
        phase: 'delivery' as const,
        returnAddress: to,
        releasedAt,
        heldReason: null,
        endedAt: null,
        attention: true,
      },
      totals: addEntries(execution.totals, entries),
    };
    const held = refunds.filter(({ state }) => state === 'held');
    await inTransaction(this.connection, async (session) => {
      await this.executions.change(execution, change, session);
      await this.ledger.append(entries, session);
      for (const refund of held) await this.refunds.enter(refund, 'released', session);
      const data = { to, amountWei: amountWei.toString(), returnIds: held.map(({ id }) => id) };
      await this.outbox.record(fundsReleased, { jobId, data }, session);
    });
    this.owner.wake();
    return { outcome: `${formatHype(amountWei)} HYPE and undelivered tokens are on their way to ${to}` };
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
