import { refundDue } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { AuditRepository } from '../audit/audit.repository.ts';
import { PAYS_FOR_JOB } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { planRefunds, possibleRecipients, type RefundPlan } from './plan-refunds.ts';

/** Begins the refund of money that pays for no order, in the transaction that makes it so; each deposit once. */
@Injectable()
export class RefundDepositsService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly deposits: DepositsRepository,
    private readonly refunds: RefundsRepository,
    private readonly audit: AuditRepository,
    private readonly outbox: Outbox,
  ) {}

  /** @param job as it is after the change that leads here */
  async refund(job: Job, session: ClientSession): Promise<void> {
    if (job.status === 'pending_payment') return;
    const deposits = await this.deposits.undecidedOfJob(job.jobId, session);
    if (deposits.length === 0) return;
    const isPaid = await this.deposits.hasPayment(job.jobId, session);
    const wallets = await this.jobs.walletsAmong(possibleRecipients(job, deposits), session);
    const { paysForJob, refunds } = planRefunds(job, deposits, isPaid, wallets);
    await this.deposits.claim(paysForJob, PAYS_FOR_JOB, session);
    for (const plan of refunds) await this.begin(job, plan, session);
  }

  private async begin(job: Job, plan: RefundPlan, session: ClientSession): Promise<void> {
    const { jobId } = job;
    const { refundId, depositIds, amountWei, to, holdReason, blockNumber } = plan;
    const activated = job.activatedAtMs !== undefined;
    await this.deposits.claim(depositIds, refundId, session);
    await this.refunds.insert(
      {
        refundId,
        jobId,
        depositIds,
        amountWei,
        activated,
        to,
        status: 'due',
        ...(holdReason && { reason: holdReason }),
      },
      session,
    );
    const known = { returnId: refundId, amountWei: amountWei.toString(), ...(holdReason && { holdReason }) };
    const details = { ...known, deposits: depositIds.length, ...(to && { to }) };
    await this.audit.append({ jobId, action: 'deposit.return_due', cause: `job ${job.status}`, details }, session);
    const wallet = {
      walletAddress: job.paymentAddress,
      walletIndex: job.walletIndex,
      tokenAddress: job.tokenAddress,
    };
    const data = { ...known, ...wallet, depositIds: [...depositIds], to, activated, blockNumber };
    await this.outbox.record(refundDue, { jobId, data }, session);
  }
}
