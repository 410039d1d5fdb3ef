import type { Job } from '../job.ts';
import { changeStatus, type JobChange } from '../job-change.ts';

/**
 * Ends a job for which no further order is possible. Source: design § 4.
 * @param message what went wrong, in a sentence for the visitor
 * @returns undefined unless the job is active
 */
export function failJob(
  job: Job,
  reason: 'liquidity' | 'technical',
  message: string,
  nowMs: number,
): JobChange | undefined {
  const status = reason === 'liquidity' ? 'failed_liquidity' : 'failed_technical';
  return changeStatus(job, status, nowMs, { failureReason: message });
}
