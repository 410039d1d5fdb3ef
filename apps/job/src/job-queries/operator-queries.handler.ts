import { getJobTimeline, listJobs, type TimelineEntry } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { AuditRepository, type WrittenAuditEntry } from '../audit/audit.repository.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { operatorView } from '../views/job-views.ts';

/** Answers operators' queries about jobs. */
@Controller()
export class OperatorQueriesHandler {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly refunds: RefundsRepository,
    private readonly audit: AuditRepository,
  ) {}

  @HandleRequest(listJobs)
  async list({ status, before, limit }: z.output<typeof listJobs.request>) {
    const jobs = await this.jobs.list({ status, limit, before: before === undefined ? undefined : new Date(before) });
    const refunds = await this.refunds.ofJobs(jobs.map(({ jobId }) => jobId));
    return { jobs: jobs.map((job) => operatorView(job, refunds.get(job.jobId) ?? [])) };
  }

  @HandleRequest(getJobTimeline)
  async timeline({ jobId }: { jobId: string }) {
    const job = await this.jobs.get(jobId);
    const [refunds, entries] = await Promise.all([this.refunds.ofJob(jobId), this.audit.ofJob(jobId)]);
    return { job: operatorView(job, refunds), timeline: entries.map(toTimeline) };
  }
}

function toTimeline({ at, action, cause, from, to, details }: WrittenAuditEntry): TimelineEntry {
  return {
    at: at.toISOString(),
    action,
    cause,
    details: { ...(from && { from }), ...(to && { to }), ...details },
  };
}
