import { type Job, STOPPED_BY_PAYER } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/** What a payer's wish to stop does. */
export type Stop =
  /** Nothing was paid: the job is over. */
  | { readonly kind: 'cancelled'; readonly change: JobChange }
  /** No further order; the job is over when its tokens are delivered and the rest is returned. */
  | { readonly kind: 'ending'; readonly change: JobChange }
  /** The wish was heard before. */
  | { readonly kind: 'ending_already' }
  /** The job is over. */
  | { readonly kind: 'ended' };

/** Decides what becomes of a job that its payer stops; a repetition changes nothing. Source: design § 4. */
export function stopJob(job: Job, nowMs: number): Stop {
  if (job.status === 'active') {
    if (job.stopRequestedAtMs !== undefined) return { kind: 'ending_already' };
    return { kind: 'ending', change: { before: job, after: { ...job, stopRequestedAtMs: nowMs } } };
  }
  const details = { stopRequestedAtMs: nowMs, failureReason: STOPPED_BY_PAYER };
  const change = changeStatus(job, 'cancelled', nowMs, details);
  return change ? { kind: 'cancelled', change } : { kind: 'ended' };
}
