import { getJobPayment, getJobPayments, getJobStatus, getStats } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { paymentView, statusView } from '../views/job-views.ts';

/** Answers queries about jobs. An unknown id is refused with `JOB_NOT_FOUND`. */
@Controller()
export class JobQueriesHandler {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly refunds: RefundsRepository,
  ) {}

  @HandleRequest(getJobPayment)
  async payment({ jobId }: { jobId: string }) {
    return paymentView(await this.jobs.get(jobId));
  }

  @HandleRequest(getJobPayments)
  async payments({ jobIds }: { jobIds: readonly string[] }) {
    const jobs = await this.jobs.find(jobIds);
    return { payments: Object.fromEntries(jobs.map((job) => [job.jobId, paymentView(job)])) };
  }

  @HandleRequest(getJobStatus)
  async status({ jobId }: { jobId: string }) {
    return statusView(await this.jobs.get(jobId), await this.refunds.ofJob(jobId));
  }

  /** Source: specification § 1. */
  @HandleRequest(getStats)
  async stats() {
    const [active, tokenAddress] = await Promise.all([this.jobs.countWithStatus('active'), this.jobs.latestToken()]);
    return { jobs: { active }, ...(tokenAddress === undefined ? {} : { latestJob: { tokenAddress } }) };
  }
}
