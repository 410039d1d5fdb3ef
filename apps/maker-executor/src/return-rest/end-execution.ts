import { executionCompleted, executionFailed, refundHeld, refundPaid } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { larger } from '@maker/rules';
import { Clock, Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { LedgerCheck } from '../check-ledger/ledger-check.ts';
import type { Execution, ExecutionPhase } from '../execution/execution.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { ExecutionChange } from '../execution/executions.repository.ts';
import { addReason, DUST } from '../execution/held-reason.ts';
import { qualityOf } from '../execution/job-quality.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { addEntries, gasPaid, type LedgerEntry, ledgerEntry } from '../ledger/ledger-entry.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { PausesRepository } from '../pause/pauses.repository.ts';
import { ownBalance, unexplainedSurplus } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import type { TransactionRecord } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { SurplusPatience } from './surplus-patience.ts';

/** What belongs to an end beside the reason for what is held. */
interface EndMore {
  readonly entries?: readonly LedgerEntry[];
  /** With `totals` as they are after these entries. */
  readonly change?: ExecutionChange;
  /** What transactions under way may still take from the wallet, wei: it is not held as well. */
  readonly underWayWei?: bigint;
}

/** Ends an execution: checks the sums, sets apart what is held, and informs the job service. */
@Injectable()
export class EndExecution {
  constructor(
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly check: LedgerCheck,
    private readonly refunds: RefundsRepository,
    private readonly patience: SurplusPatience,
    private readonly pauses: PausesRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
  ) {}

  /**
   * @param heldReason why what is left stays for an operator; null where nothing is left, or nobody's dust
   */
  async end(
    leased: LeasedExecution,
    heldReason: string | null,
    { entries: before = [], change = {}, underWayWei = 0n }: EndMore = {},
  ): Promise<LeasedExecution> {
    await this.check.addUp(leased);
    const execution: Execution = { ...leased.execution, ...change };
    const { head } = leased;
    const endedAt = new Date(head.timestampMs);
    const refunds = await this.refunds.ofJob(execution.id);
    // What is due back to others stays free: it follows after the end.
    const restWei = larger(0n, ownBalance(execution, refunds) - underWayWei);
    const held = ledgerEntry(endId(execution), 'held', {
      jobId: execution.id,
      amountWei: heldReason === null ? 0n : restWei,
      blockNumber: head.number,
      recordedAt: new Date(this.clock.now()),
    });
    const surplusWei = unexplainedSurplus(execution, refunds);
    const entries = [...before, ...(held.amountWei === 0n ? [] : [held])];
    const totals = addEntries(leased.execution.totals, entries);
    const reason = heldReason === null ? execution.heldReason : addReason(execution.heldReason, heldReason);
    const ended: Execution = { ...execution, totals, heldReason: reason };
    const after = await this.writer.write(
      leased,
      {
        ...change,
        ...(refunds.some(({ state }) => state === 'due') && { attention: true }),
        attempts: null,
        totals,
        heldReason: ended.heldReason,
        absorbedWei: execution.absorbedWei + (surplusWei > 0n ? surplusWei : 0n),
        phase: endPhase(execution),
        endedAt,
      },
      async (session) => {
        await this.ledger.append(entries, session);
        await this.pauses.end(execution.id, endedAt, session);
        await this.settleReleased(ended, heldReason, session);
        if (execution.releasedAt === null) await this.announce(ended, session);
      },
    );
    const quality = execution.releasedAt === null ? qualityOf(ended) : undefined;
    if (quality) this.metrics.quality(quality);
    const { ending, heldReason: stays, releasedAt } = ended;
    if (ending?.at && stays === null && releasedAt === null)
      this.metrics.returned(head.timestampMs - ending.at.getTime());
    this.check.forget(execution.id);
    this.patience.forget(execution.id);
    const line = { jobId: execution.id, ending: execution.ending?.kind, orders: execution.ordersPlaced };
    if (ended.heldReason)
      this.logger.error({ ...line, heldReason: ended.heldReason }, 'execution ended; money is held');
    else this.logger.info(line, 'execution ended');
    return after;
  }

  /** Reports what became of refunds that an operator had released. */
  private async settleReleased(ended: Execution, heldReason: string | null, session: ClientSession): Promise<void> {
    const { id: jobId, returnAddress } = ended;
    const released = await this.refunds.ofJob(jobId, ['released']);
    if (released.length === 0) return;
    const returns = await this.transactions.ofPurposes(jobId, ['return']);
    const done = returns.findLast((one) => one.inclusion?.succeeded && isSince(one, ended));
    for (const refund of released) {
      const amount = { returnId: refund.id, amountWei: refund.amountWei.toString() };
      if (heldReason === null && done?.inclusion && returnAddress) {
        const data = { ...amount, to: returnAddress, transactionHash: done.inclusion.hash, withTheRest: true };
        await this.refunds.enter(refund, 'returned', session);
        await this.outbox.record(refundPaid, { jobId, data }, session);
      } else {
        const reason = heldReason ?? DUST;
        await this.refunds.enter(refund, 'held', session, { holdReason: reason });
        await this.outbox.record(refundHeld, { jobId, data: { ...amount, reason } }, session);
      }
    }
  }

  private async announce(execution: Execution, session: ClientSession): Promise<void> {
    const { id: jobId, totals, ending, ordersPlaced, heldReason } = execution;
    const returnedWei = totals.returnedWei.toString();
    if (ending && ending.kind !== 'completed') {
      const { kind: reason, message } = ending;
      await this.outbox.record(
        executionFailed,
        { jobId, data: { reason, message, ordersPlaced, returnedWei } },
        session,
      );
      return;
    }
    await this.outbox.record(
      executionCompleted,
      {
        jobId,
        data: {
          ordersPlaced,
          returnedWei,
          tradedWei: totals.orderWei.toString(),
          gasWei: gasPaid(totals).toString(),
          feeWei: totals.feeWei.toString(),
          deliveredTokens: totals.deliveredWei.toString(),
          ...(heldReason !== null && { heldReason }),
        },
      },
      session,
    );
  }
}

/** Whether a transaction belongs to what an operator released last, or to an execution of which nothing was. */
export function isSince({ createdAt }: TransactionRecord, { releasedAt }: Execution): boolean {
  return releasedAt === null || createdAt >= releasedAt;
}

/** Names an end in the ledger: an execution of which held money was released ends again. */
function endId({ id, releasedAt }: Execution): string {
  return releasedAt === null ? id : `${id}/released/${releasedAt.getTime()}`;
}

function endPhase({ ending, depositWei }: Execution): ExecutionPhase {
  if (depositWei === 0n) return 'never_ran';
  return ending?.kind === 'completed' ? 'completed' : 'failed';
}
