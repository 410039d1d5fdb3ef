import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/** An unpaid job ends at once, an active one when maker-executor has settled it; undefined where it has ended. Source: design § 4. */
export function cancelJob(job: Job, nowMs: number): JobChange | 'when_settled' | undefined {
  return job.status === 'active' ? 'when_settled' : changeStatus(job, 'cancelled', nowMs);
}
