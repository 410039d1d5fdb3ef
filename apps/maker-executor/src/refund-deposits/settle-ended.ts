import { surplusFound } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { isDust } from '@maker/rules';
import { Clock, Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { LedgerCheck } from '../check-ledger/ledger-check.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution, PhaseStep } from '../execution/leased-execution.ts';
import { type Refund, unexplainedDepositId, unexplainedSurplus } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { LookPauses } from './look-pauses.ts';
import { SendRefunds } from './send-refunds.ts';
import { SettleRest } from './settle-rest.ts';
import { SurplusExplained } from './surplus-explained.ts';

/**
 * Settles what came to a wallet whose job has ended, or never ran: books it, refunds what was asked to be refunded, and
 * reports money to the job service that nobody reported (moved inside contracts, credited by the system).
 */
@Injectable()
export class SettleEnded implements PhaseStep {
  private readonly pauses = new LookPauses();

  constructor(
    private readonly check: LedgerCheck,
    private readonly sending: SendRefunds,
    private readonly refunds: RefundsRepository,
    private readonly explained: SurplusExplained,
    private readonly settleRest: SettleRest,
    private readonly writer: ExecutionWriter,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async advance(leased: LeasedExecution): Promise<LeasedExecution> {
    if (leased.open.length > 0 || !(await this.isLookDue(leased))) return leased;
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

  /** Each look costs calls to the chain: money that is worth it has one at once, dust waits. */
  private async isLookDue({ execution, head }: LeasedExecution): Promise<boolean> {
    const { id: jobId, refunding } = execution;
    const due = refunding === null ? await this.refunds.ofJob(jobId, ['due']) : [];
    const isWorthIt = refunding !== null || due.some(({ amountWei }) => !isDust(amountWei));
    if (!isWorthIt && !this.pauses.isOver(jobId, head.number)) return false;
    this.pauses.looked(jobId, head.number, !isWorthIt);
    return true;
  }

  private async rest(leased: LeasedExecution): Promise<LeasedExecution> {
    const after = await this.writer.write(await this.settleRest.settle(leased), { attention: false });
    this.check.forget(leased.execution.id);
    return after;
  }

  private async report(leased: LeasedExecution, surplusWei: bigint): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const { id: jobId, walletAddress } = execution;
    const depositId = unexplainedDepositId(walletAddress, head.number);
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
    this.check.forget(jobId);
    this.logger.warn({ jobId, surplusWei: surplusWei.toString() }, 'money came that no deposit explains');
    return after;
  }
}
