import { Clock, Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { addReason, NOT_SENT } from '../execution/held-reason.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { addEntries, ledgerEntry } from '../ledger/ledger-entry.ts';
import { ownBalance } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { mostTransferred } from '../send/return-transfer.ts';

/**
 * Sets right what an ended job holds when all that was under way at its end has settled: what is left is held, and what was held
 * and went all the same is not. Source: design § 4 'Amounts', docs/adr/0028.
 */
@Injectable()
export class SettleRest {
  constructor(
    private readonly writer: ExecutionWriter,
    private readonly refunds: RefundsRepository,
    private readonly ledger: LedgerRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async settle(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const { id: jobId, totals } = execution;
    const restWei = ownBalance(execution, await this.refunds.ofJob(jobId));
    const isDust = restWei >= 0n && mostTransferred(restWei, head.baseFeeWei) === undefined;
    if (isDust) return leased;
    const kind = restWei > 0n ? 'held' : 'released';
    const entry = ledgerEntry(`${jobId}/settled/${execution.revision}`, kind, {
      jobId,
      amountWei: restWei > 0n ? restWei : -restWei,
      blockNumber: head.number,
      recordedAt: new Date(this.clock.now()),
    });
    const change = {
      totals: addEntries(totals, [entry]),
      ...(kind === 'held' && { heldReason: addReason(execution.heldReason, NOT_SENT) }),
    };
    this.logger.warn({ jobId, kind, amountWei: entry.amountWei.toString() }, 'what an ended job holds was set right');
    return this.writer.write(leased, change, (session) => this.ledger.append([entry], session));
  }
}
