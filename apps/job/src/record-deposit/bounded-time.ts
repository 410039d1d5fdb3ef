import { NEAR_BLOCK_TIME_MS } from '@maker/rules';
import type { Job } from '../job/job.ts';

/**
 * Bounds the time of a block that has no proof, so that a false one moves a plan by a minute. After the deadline it decides whether the
 * money is in time, and stands from the creation of the job on. Source: docs/adr/0118.
 * @param reportedMs by payment-watcher @param chainTimeMs by maker-executor, which sees the money
 */
export function boundedTime(
  reportedMs: number,
  chainTimeMs: number,
  { createdAtMs, paymentDeadlineMs }: Pick<Job, 'createdAtMs' | 'paymentDeadlineMs'>,
): number {
  const earliestMs = chainTimeMs <= paymentDeadlineMs ? chainTimeMs - NEAR_BLOCK_TIME_MS : createdAtMs;
  return Math.min(chainTimeMs, Math.max(reportedMs, earliestMs));
}
