import { surplusFound } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Clock, LOGGER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LedgerCheck } from '../check-ledger/ledger-check.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution, PhaseStep } from '../execution/leased-execution.ts';
import { type Refund, unexplainedSurplus } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { SendRefunds } from './send-refunds.ts';
import { SettleRest } from './settle-rest.ts';
import { SurplusExplained } from './surplus-explained.ts';

/** Blocks between two checks of a wallet for which nothing is to be sent. */
const CHECK_BLOCKS = 5;

/**
 * Settles what came to a wallet whose job has ended, or never ran: books it, refunds what was asked to be refunded, and
 * reports money to the job service that nobody reported (moved inside contracts, credited by the system).
 */
@Injectable()
export class SettleEnded implements PhaseStep {
  /** Height of the last check, by job. */
  private readonly checkedAtBlock = new Map<string, number>();

  constructor(
    private readonly check: LedgerCheck,
    private readonly sending: SendRefunds,
    private readonly refunds: RefundsRepository,
    private readonly explained: SurplusExplained,
    private readonly settleRest: SettleRest,
    private readonly writer: ExecutionWriter,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async advance(leased: LeasedExecution): Promise<LeasedExecution> {
    if (leased.open.length > 0 || !(await this.isCheckDue(leased))) return leased;
    return this.sending.before(leased, (checked) => this.settleSurplus(checked));
  }

  private async settleSurplus(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const surplusWei = unexplainedSurplus(execution, await this.refunds.ofJob(execution.id));
    if (surplusWei <= 0n) return this.rest(leased);
    // payment-watcher, which knows senders, may be far behind: it is waited for.
    const isComplete = await this.explained.isComplete(execution.id, execution.surplusAtBlock ?? head.number);
    return isComplete ? this.report(leased, surplusWei) : leased;
  }

  /** Each check costs calls to the chain: where nothing is to be sent, only every so many blocks. */
  private async isCheckDue({ execution, head }: LeasedExecution): Promise<boolean> {
    const checked = this.checkedAtBlock.get(execution.id);
    const isRecent = checked !== undefined && head.number >= checked && head.number - checked < CHECK_BLOCKS;
    if (isRecent && execution.refunding === null) {
      if ((await this.refunds.ofJob(execution.id, ['due'])).length === 0) return false;
    }
    this.checkedAtBlock.set(execution.id, head.number);
    return true;
  }

  private forget(jobId: string): void {
    this.check.forget(jobId);
    this.checkedAtBlock.delete(jobId);
  }

  private async rest(leased: LeasedExecution): Promise<LeasedExecution> {
    const after = await this.writer.write(await this.settleRest.settle(leased), { attention: false });
    this.forget(leased.execution.id);
    return after;
  }

  private async report(leased: LeasedExecution, surplusWei: bigint): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const { id: jobId, walletAddress } = execution;
    const depositId = `${walletAddress.toLowerCase()}:surplus:${head.number}`;
    const blockNumber = execution.surplusAtBlock ?? head.number;
    const placeholder: Refund = {
      id: depositId,
      jobId,
      depositIds: [depositId],
      amountWei: surplusWei,
      to: null,
      holdReason: null,
      blockNumber,
      state: 'reported',
      recordedAt: new Date(this.clock.now()),
    };
    const after = await this.writer.write(leased, { attention: false }, async (session) => {
      await this.refunds.insert(placeholder, session);
      const blockAt = new Date(head.timestampMs).toISOString();
      const data = { depositId, amountWei: surplusWei.toString(), blockNumber, blockAt };
      await this.outbox.record(surplusFound, { jobId, data }, session);
    });
    this.forget(jobId);
    this.logger.warn({ jobId, surplusWei: surplusWei.toString() }, 'money came that no deposit explains');
    return after;
  }
}
