import { surplusFound } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Clock, LOGGER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LedgerCheck } from '../ledger/ledger-check.ts';
import { RefundsRepository } from '../refunds.repository.ts';
import type { ExecutionContext } from '../run-execution/execution-context.ts';
import { ExecutionWriter } from '../run-execution/execution-writer.ts';
import type { PhaseStep } from '../run-execution/phase-step.ts';
import { type Refund, unexplainedSurplus } from './refund.ts';
import { RefundDeposits } from './refund-deposits.ts';

/** Blocks in which payment-watcher is heard of what it saw; money that it did not see is told by us after them. */
export const EXPLAINED_WITHIN_BLOCKS = 20;

/**
 * Settles what came to a wallet whose job has ended, or never ran: books it, returns what was asked to be returned, and
 * tells the job service of money that nobody reported (moved inside contracts, credited by the system).
 */
@Injectable()
export class SettleEnded implements PhaseStep {
  constructor(
    private readonly check: LedgerCheck,
    private readonly returns: RefundDeposits,
    private readonly refunds: RefundsRepository,
    private readonly writer: ExecutionWriter,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async advance(context: ExecutionContext): Promise<ExecutionContext> {
    if (context.open.length > 0) return context;
    const checked = await this.check.now(context);
    if (!checked || checked.execution.revision !== context.execution.revision) return checked ?? context;
    const { context: after, idle } = await this.returns.advance(checked);
    if (!idle) return after;
    const { execution, head } = after;
    const surplusWei = unexplainedSurplus(execution, await this.refunds.ofJob(execution.id));
    if (surplusWei <= 0n) return this.rest(after);
    if (head.number - (execution.surplusAtBlock ?? 0) < EXPLAINED_WITHIN_BLOCKS) return after;
    return this.report(after, surplusWei);
  }

  private async rest(context: ExecutionContext): Promise<ExecutionContext> {
    const after = await this.writer.write(context, { attention: false });
    this.check.forget(context.execution.id);
    return after;
  }

  private async report(context: ExecutionContext, surplusWei: bigint): Promise<ExecutionContext> {
    const { execution, head } = context;
    const { id: jobId, walletAddress } = execution;
    const depositId = `${walletAddress.toLowerCase()}:surplus:${head.number}`;
    const blockNumber = execution.surplusAtBlock ?? head.number;
    const placeholder: Refund = {
      ...{ id: depositId, jobId, depositIds: [depositId], amountWei: surplusWei, to: null, holdReason: null },
      ...{ blockNumber, state: 'reported', recordedAt: new Date(this.clock.now()) },
    };
    const after = await this.writer.write(context, { attention: false }, async (session) => {
      await this.refunds.insert(placeholder, session);
      const blockAt = new Date(head.timestampMs).toISOString();
      const data = { depositId, amountWei: surplusWei.toString(), blockNumber, blockAt };
      await this.outbox.record(surplusFound, { jobId, data }, session);
    });
    this.check.forget(jobId);
    this.logger.warn({ jobId, surplusWei: surplusWei.toString() }, 'money came that no deposit explains');
    return after;
  }
}
