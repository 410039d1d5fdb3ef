import type { Job } from '../job/job.ts';

/** A told time of a block may be this far behind the chain's time, ms. */
const NEAR_MS = 60_000;

/**
 * Bounds the time of a block that nobody proves, so that a false one moves a plan by a minute. After the deadline it decides whether the
 * money is in time, and stands from the creation of the job on. Source: docs/adr/0118.
 * @param toldMs by payment-watcher @param chainTimeMs by maker-executor, which sees the money
 */
export function boundedTime(
  toldMs: number,
  chainTimeMs: number,
  { createdAtMs, paymentDeadlineMs }: Pick<Job, 'createdAtMs' | 'paymentDeadlineMs'>,
): number {
  const earliestMs = chainTimeMs <= paymentDeadlineMs ? chainTimeMs - NEAR_MS : createdAtMs;
  return Math.min(chainTimeMs, Math.max(toldMs, earliestMs));
}
