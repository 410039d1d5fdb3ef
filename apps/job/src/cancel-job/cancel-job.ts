import { RequestFailure } from '@maker/messaging';
import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/** The job has ended, so that there is nothing to cancel. */
export class JobHasEnded extends RequestFailure {
  constructor({ status }: Job) {
    super('NOT_POSSIBLE_NOW', `The job is ${status} already`);
    this.name = 'JobHasEnded';
  }
}

/**
 * What an operator's cancellation does: a job that waits for its payment ends at once; an active one ends when
 * maker-executor has delivered what was bought and returned the rest. Source: design § 4.
 * @throws JobHasEnded
 */
export function cancelJob(job: Job, nowMs: number): JobChange | 'when_settled' {
  if (job.status === 'active') return 'when_settled';
  const change = changeStatus(job, 'cancelled', nowMs);
  if (!change) throw new JobHasEnded(job);
  return change;
}
