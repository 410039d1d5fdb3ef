import { getJobCreator, getJobPayment, getJobPayments, getJobStatus, getStats } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { StartablePaymentsService } from '../evaluate-payment/startable-payments.service.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { paymentView, statusView } from '../views/job-views.ts';

/** Answers queries about jobs. An unknown id is refused with `JOB_NOT_FOUND`. */
@Controller()
export class JobQueriesHandler {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly refunds: RefundsRepository,
    private readonly startable: StartablePaymentsService,
  ) {}

  @HandleRequest(getJobPayment)
  async payment({ jobId }: { jobId: string }) {
    const job = await this.jobs.get(jobId);
    return paymentView(job, await this.startable.sumOf(job));
  }

  @HandleRequest(getJobPayments)
  async payments({ jobIds }: { jobIds: readonly string[] }) {
    const jobs = await this.jobs.find(jobIds);
    const views = jobs.map(async (job) => [job.jobId, paymentView(job, await this.startable.sumOf(job))] as const);
    return { payments: Object.fromEntries(await Promise.all(views)) };
  }

  @HandleRequest(getJobStatus)
  async status({ jobId }: { jobId: string }) {
    const job = await this.jobs.get(jobId);
    const [refunds, startableWei] = await Promise.all([this.refunds.ofJob(jobId), this.startable.sumOf(job)]);
    return statusView(job, refunds, startableWei);
  }

  @HandleRequest(getJobCreator)
  creator({ jobId }: { jobId: string }) {
    return this.jobs.creatorOf(jobId);
  }

  /** Source: specification § 1. */
  @HandleRequest(getStats)
  async stats() {
    const [active, tokenAddress] = await Promise.all([this.jobs.countWithStatus('active'), this.jobs.latestToken()]);
    return { jobs: { active }, ...(tokenAddress === undefined ? {} : { latestJob: { tokenAddress } }) };
  }
}
