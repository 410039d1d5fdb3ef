import { NEAR_BLOCK_TIME_MS } from '@maker/rules';
import type { Job } from '../job/job.ts';

/**
 * Bounds a reported block time without proof. Before the deadline, a false time moves a plan by a minute at most. After it, the time
 * decides whether the money is in time, and may be as early as the creation of the job. Source: docs/adr/0118.
 * @param reportedMs time from payment-watcher @param chainTimeMs time from maker-executor, which sees the money
 */
export function boundedTime(
  reportedMs: number,
  chainTimeMs: number,
  { createdAtMs, paymentDeadlineMs }: Pick<Job, 'createdAtMs' | 'paymentDeadlineMs'>,
): number {
  const earliestMs = chainTimeMs <= paymentDeadlineMs ? chainTimeMs - NEAR_BLOCK_TIME_MS : createdAtMs;
  return Math.min(chainTimeMs, Math.max(reportedMs, earliestMs));
}
