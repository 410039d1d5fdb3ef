import { CANCELLED_BY_OPERATOR, type Job, STOPPED_BY_PAYER } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

const STATUS_OF_REASON = {
  liquidity: 'failed_liquidity',
  technical: 'failed_technical',
  cancelled: 'cancelled',
} as const;

/**
 * Ends a job for which no further order is possible. Source: design § 4.
 * @param message cause of the failure, in a sentence for the visitor
 * @returns undefined unless the job is active
 */
export function failJob(
  job: Job,
  reason: keyof typeof STATUS_OF_REASON,
  message: string,
  nowMs: number,
): JobChange | undefined {
  const cancelledBy = job.stopRequestedAtMs === undefined ? CANCELLED_BY_OPERATOR : STOPPED_BY_PAYER;
  const failureReason = reason === 'cancelled' ? cancelledBy : message;
  return changeStatus(job, STATUS_OF_REASON[reason], nowMs, { failureReason });
}

/** Ends a job whose orders are done, delivered and settled. @returns undefined unless the job is active */
export function completeJob(job: Job, nowMs: number): JobChange | undefined {
  return changeStatus(job, 'completed', nowMs);
}
