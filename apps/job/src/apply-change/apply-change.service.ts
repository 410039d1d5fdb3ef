import { jobActivated, jobStatusChanged } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { AgreementKey } from '@maker/signing/agreement-key';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { AuditRepository } from '../audit/audit.repository.ts';
import type { JobChange, StatusTransition } from '../job/job-change.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { JobMetrics } from '../job.metrics.ts';
import { agreedPlan } from '../plan/make-plan.ts';
import { PlansService } from '../plan/plans.service.ts';
import { RefundDepositsService } from '../refund-deposits/refund-deposits.service.ts';

/** Writes a change of a job in one transaction: its row, audit entry and events. */
@Injectable()
export class ApplyChangeService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly audit: AuditRepository,
    private readonly outbox: Outbox,
    private readonly refunds: RefundDepositsService,
    private readonly plans: PlansService,
    private readonly metrics: JobMetrics,
    private readonly agreementKey: AgreementKey,
    private readonly clock: Clock,
  ) {}

  /**
   * @param cause of the change, for the audit trail
   * @throws ConcurrentJobChangeError if the job's status changed after the decision
   */
  async apply(decided: JobChange, cause: string, session: ClientSession): Promise<void> {
    const change = await this.planned(decided, session);
    const { after, transition, paying = [] } = change;
    await this.jobs.update(change, session);
    if (transition) await this.announce(change, transition, cause, session);
    // After the change, so that money credited with it belongs to the job and the rest is refunded.
    await this.refunds.refund(after, paying, session);
  }

  /** Replaces the plan of a job that becomes active by one for the paid amount, books it, and signs it. */
  private async planned(change: JobChange, session: ClientSession): Promise<JobChange> {
    const { before, after, transition } = change;
    if (transition?.to === 'active') {
      const booked = await this.plans.book(after, session);
      return this.agreed(booked ? { ...change, after: { ...after, ...booked } } : change);
    }
    if (transition && before.status === 'pending_payment') await this.plans.forget(after.jobId, session);
    return change;
  }

  /** Signs the payment and the final plan. Whether they keep to the agreement is maker-executor's to verify. Source: docs/adr/0142. */
  private async agreed(change: JobChange): Promise<JobChange> {
    const { after, agreedLeastWei } = change;
    const { terms, payment, paidAtMs, plan } = after;
    if (!terms || !payment || paidAtMs === undefined) return change;
    const activation = {
      depositWei: payment.amountWei.toString(),
      paidAt: new Date(paidAtMs).toISOString(),
      payer: payment.payer as `0x${string}` | null,
      slotMs: plan.slotMs,
      tradingEndsAt: plan.tradingEndsAt,
      latestEndAt: plan.latestEndAt,
    };
    const leastWei = agreedLeastWei?.toString() ?? null;
    const amended = await this.agreementKey.amend(terms, { activation, leastWei }, this.clock.now());
    return amended ? { ...change, after: { ...after, terms: amended } } : change;
  }

  private async announce(
    change: JobChange,
    transition: StatusTransition,
    cause: string,
    session: ClientSession,
  ): Promise<void> {
    const { after } = change;
    const { jobId } = after;
    await this.audit.append({ jobId, action: 'job.status_changed', ...transition, cause }, session);
    await this.outbox.record(jobStatusChanged, { jobId, data: transition }, session);
    if (transition.to === 'active') {
      await this.outbox.record(jobActivated, { jobId, data: activation(change) }, session);
    }
    this.metrics.transitionOnCommit(change, session);
  }
}

function activation({ after: job, paidBy }: JobChange) {
  if (!job.payment) throw new Error(`Job ${job.jobId} is active without a payment`);
  return {
    tokenAddress: job.tokenAddress,
    walletAddress: job.paymentAddress,
    walletIndex: job.walletIndex,
    depositWei: job.payment.amountWei.toString(),
    returnAddress: job.returnAddress,
    ...(paidBy && { paidBy: [...paidBy] }),
    ...(job.terms && { terms: job.terms }),
    plan: agreedPlan(job.plan),
  };
}
