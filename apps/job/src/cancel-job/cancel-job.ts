import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/**
 * Cancels a job. A job that waits for its payment ends immediately. An active job ends after
 * maker-executor has delivered the tokens and returned the rest. Source: design § 4.
 * @returns undefined if the job has ended already
 */
export function cancelJob(job: Job, nowMs: number): JobChange | 'when_settled' | undefined {
  return job.status === 'active' ? 'when_settled' : changeStatus(job, 'cancelled', nowMs);
}
