import { refundDue } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { type AuditEntry, AuditRepository } from '../audit/audit.repository.ts';
import { PAYS_FOR_JOB } from '../deposit/deposit.ts';
import { DepositsRepository, MOST_UNDECIDED_READ } from '../deposit/deposits.repository.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import type { Refund } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { planRefunds, possibleRecipients, type RefundPlan } from './plan-refunds.ts';
import { RefundBacklogRepository } from './refund-backlog.repository.ts';

/** Most refunds that one transaction begins, so that it ends within MongoDB's time limit. */
const MOST_REFUNDS_BEGUN = 200;

/** Begins refunds of money that pays for no order, in the transaction of the change; each deposit once. */
@Injectable()
export class RefundDepositsService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly deposits: DepositsRepository,
    private readonly refunds: RefundsRepository,
    private readonly backlog: RefundBacklogRepository,
    private readonly audit: AuditRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Claims the deposits that pay for a job, and begins the refund of the others. If they are many, the rest waits in the backlog.
   * @param job after the change @param paying ids of the deposits that activate the job in this change
   */
  async refund(job: Job, paying: readonly string[], session: ClientSession): Promise<void> {
    if (job.status === 'pending_payment') return;
    if (paying.length > 0) await this.deposits.claim(new Map([[PAYS_FOR_JOB, paying]]), session);
    if (await this.backlog.has(job.jobId, session)) return;
    await this.begin(job, session);
  }

  /** Begins the next refunds of a job in the backlog. */
  async refundPart(job: Job, session: ClientSession): Promise<void> {
    await this.backlog.remove(job.jobId, session);
    await this.begin(job, session);
  }

  private async begin(job: Job, session: ClientSession): Promise<void> {
    const { jobId } = job;
    const deposits = await this.deposits.undecidedOfJob(jobId, session);
    if (deposits.length === 0) return;
    const wallets = await this.jobs.walletsAmong(possibleRecipients(job, deposits), session);
    const refunds = planRefunds(job, deposits, wallets);
    await this.write(job, refunds.slice(0, MOST_REFUNDS_BEGUN), session);
    const isAll = refunds.length <= MOST_REFUNDS_BEGUN && deposits.length < MOST_UNDECIDED_READ;
    if (!isAll) await this.backlog.queue(jobId, session);
  }

  private async write(job: Job, plans: readonly RefundPlan[], session: ClientSession): Promise<void> {
    if (plans.length === 0) return;
    const { jobId } = job;
    await this.deposits.claim(new Map(plans.map(({ refundId, depositIds }) => [refundId, depositIds])), session);
    const refunds = plans.map((plan) => refundOf(job, plan));
    await this.refunds.insert(refunds, session);
    const entries = plans.map((plan) => this.audit.prepare(entryOf(job, plan)));
    await this.audit.insert(entries, session);
    const events = plans.map((plan) => this.outbox.prepare(refundDue, { jobId, data: dueOf(job, plan) }));
    await this.outbox.insert(events, session);
  }
}

const isActivated = (job: Job): boolean => job.activatedAtMs !== undefined;

function refundOf(job: Job, { refundId, depositIds, amountWei, to, holdReason }: RefundPlan): Refund {
  const decided = { refundId, jobId: job.jobId, depositIds, amountWei, activated: isActivated(job), to };
  return { ...decided, status: 'due', ...(holdReason && { reason: holdReason }) };
}

function knownOf({ refundId, amountWei, holdReason }: RefundPlan) {
  return { returnId: refundId, amountWei: amountWei.toString(), ...(holdReason && { holdReason }) };
}

function entryOf({ jobId, status }: Job, plan: RefundPlan): AuditEntry {
  const details = { ...knownOf(plan), deposits: plan.depositIds.length, ...(plan.to && { to: plan.to }) };
  return { jobId, action: 'deposit.return_due', cause: `job ${status}`, details };
}

function dueOf(job: Job, plan: RefundPlan): z.input<typeof refundDue.data> {
  const { depositIds, to, sentBy, blockNumber } = plan;
  const wallet = { walletAddress: job.paymentAddress, walletIndex: job.walletIndex, tokenAddress: job.tokenAddress };
  const recipient = { to, ...(sentBy && { sentBy: [...sentBy] }), ...(job.terms && { terms: job.terms }) };
  return {
    ...knownOf(plan),
    ...wallet,
    ...recipient,
    depositIds: [...depositIds],
    activated: isActivated(job),
    blockNumber,
  };
}
