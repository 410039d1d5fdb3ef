import { type Job, STOPPED_BY_PAYER } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/** Effect of a payer's stop request. */
export type Stop =
  /** The job was unpaid and ends now. */
  | { readonly kind: 'cancelled'; readonly change: JobChange }
  /** No further order; the job ends after its tokens are delivered and the rest is returned. */
  | { readonly kind: 'ending'; readonly change: JobChange }
  /** The payer stopped the job before. */
  | { readonly kind: 'ending_already' }
  /** The job has ended. */
  | { readonly kind: 'ended' };

/** Decides the effect of a payer's stop request. A repetition changes nothing. Source: design § 4. */
export function stopJob(job: Job, nowMs: number): Stop {
  if (job.status === 'active') {
    if (job.stopRequestedAtMs !== undefined) return { kind: 'ending_already' };
    return { kind: 'ending', change: { before: job, after: { ...job, stopRequestedAtMs: nowMs } } };
  }
  const details = { stopRequestedAtMs: nowMs, failureReason: STOPPED_BY_PAYER };
  const change = changeStatus(job, 'cancelled', nowMs, details);
  return change ? { kind: 'cancelled', change } : { kind: 'ended' };
}
