import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/**
 * What an operator's cancellation does: a job that waits for its payment ends at once; an active one ends when
 * maker-executor has delivered what was bought and returned the rest. Source: design § 4.
 * @returns undefined where it has ended already
 */
export function cancelJob(job: Job, nowMs: number): JobChange | 'when_settled' | undefined {
  return job.status === 'active' ? 'when_settled' : changeStatus(job, 'cancelled', nowMs);
}
