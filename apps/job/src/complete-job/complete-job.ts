import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/** Ends a job whose orders are done, delivered and settled. @returns undefined unless the job is active */
export function completeJob(job: Job, nowMs: number): JobChange | undefined {
  return changeStatus(job, 'completed', nowMs);
}
