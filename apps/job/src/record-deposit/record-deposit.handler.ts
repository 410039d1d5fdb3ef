import { paymentDropped, paymentReceived, surplusFound } from '@maker/contracts';
import { EventConsumer, EventTooEarlyError } from '@maker/messaging';
import { isFinal, isInTime } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { AuditRepository } from '../audit/audit.repository.ts';
import { type Deposit, PAYS_FOR_JOB } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { evaluatePayment, needsDeposits } from '../evaluate-payment/evaluate-payment.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { JobMetrics } from '../job.metrics.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { countDeposit } from './count-deposit.ts';
import { ProveDepositService, type ProvenDeposit } from './prove-deposit.service.ts';

type PaymentReceived = z.output<typeof paymentReceived.data>;

/**
 * Credits each deposit once: one that payment-watcher reports and maker-executor proves, or one of the executor's ledger. Updates it
 * after reorganisations, and activates the job when the money is enough.
 */
@Injectable()
export class RecordDepositHandler {
  constructor(
    consumer: EventConsumer,
    private readonly jobs: JobsRepository,
    private readonly deposits: DepositsRepository,
    private readonly refunds: RefundsRepository,
    private readonly changes: ApplyChangeService,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
    private readonly metrics: JobMetrics,
    proofs: ProveDepositService,
  ) {
    consumer.onProven(
      'payment-watcher',
      paymentReceived,
      ({ jobId, data }) => proofs.prove(jobId, readDeposit(data, false)),
      ({ jobId }, proven, session) => this.handle(jobId, proven, session),
    );
    // Needs no proof: if the money is still there, the proof before an expiry finds it.
    consumer.on('payment-watcher', paymentDropped, ({ jobId, data }, session) =>
      this.handle(jobId, { deposit: readDeposit(data, true) }, session),
    );
    consumer.on('maker-executor', surplusFound, ({ jobId, data }, session) =>
      this.handle(jobId, { deposit: readDeposit({ ...data, kind: 'balance', occurrence: 1 }, false) }, session),
    );
  }

  private async handle(
    jobId: string,
    { deposit, otherCreditedWei }: ProvenDeposit,
    session: ClientSession,
  ): Promise<void> {
    const job = await this.jobs.get(jobId, session);
    const before = await this.deposits.record(jobId, deposit, session);
    if (before === undefined) return;
    if (before?.dropped && !deposit.dropped) await this.reopen(job, before, session);
    const cause = `deposit ${deposit.depositId}`;
    if (before === null) this.metrics.depositOnCommit(deposit.kind, session);
    const counted = countDeposit(job, before, deposit);
    const { inTimeWei, lateWei } = counted.assessment;
    if (otherCreditedWei !== undefined && inTimeWei + lateWei !== otherCreditedWei + deposit.amountWei)
      throw new EventTooEarlyError('NOT_PROVEN_YET', `Other money of ${jobId} was credited since the proof`);
    const deposits = needsDeposits(counted) ? await this.deposits.ofJob(jobId, session) : [];
    const evaluated = evaluatePayment(counted, deposits, this.clock.now());
    const change = { ...evaluated, before: job, after: evaluated?.after ?? counted };
    const details = creditedDetails(deposit, change.after);
    await this.audit.append({ jobId, action: actionOf(before, deposit), cause, details }, session);
    await this.changes.apply(change, cause, session);
  }

  /**
   * Handles a dropped deposit that was mined again. If its first purpose (payment or refund) failed without it, the purpose is
   * decided again. A deposit that activated a running job still pays for it.
   */
  private async reopen(job: Job, { depositId, claimedBy, amountWei }: Deposit, session: ClientSession): Promise<void> {
    if (claimedBy === undefined) return;
    const isOpen =
      claimedBy === PAYS_FOR_JOB
        ? isFinal(job.status)
        : await this.refunds.withdraw(claimedBy, depositId, amountWei, session);
    if (isOpen) await this.deposits.unclaim(depositId, session);
  }
}

function actionOf(before: Deposit | null, { dropped }: Deposit): string {
  if (dropped) return 'deposit.dropped';
  if (before === null) return 'deposit.credited';
  return before.dropped ? 'deposit.restored' : 'deposit.moved';
}

function creditedDetails(deposit: Deposit, { assessment, paymentDeadlineMs }: Job) {
  const { underpaid, overpaid, late } = assessment;
  return {
    amountWei: deposit.amountWei.toString(),
    kind: deposit.kind,
    blockNumber: deposit.blockNumber,
    inTime: isInTime(deposit.blockTimestampMs, paymentDeadlineMs),
    ...(deposit.from === undefined ? {} : { from: deposit.from }),
    ...(deposit.transactionHash === undefined ? {} : { transactionHash: deposit.transactionHash }),
    underpaid,
    overpaid,
    late,
  };
}

function readDeposit(data: PaymentReceived, dropped: boolean): Deposit {
  const { amountWei, blockAt, from, transactionHash, ...rest } = data;
  return {
    ...rest,
    dropped,
    amountWei: BigInt(amountWei),
    blockTimestampMs: Date.parse(blockAt),
    ...(from === undefined ? {} : { from }),
    ...(transactionHash === undefined ? {} : { transactionHash }),
  };
}
