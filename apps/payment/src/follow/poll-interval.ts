import { isFinal, type JobStatus } from '@maker/rules';

/** Time between two polls of a job, ms. Source: specification § 9. */
export const PAYMENT_POLL_MS = 10_000;

/** Time between two looks at an expired job, ms: its address stays watched, and money may still arrive late. */
export const LATE_PAYMENT_POLL_MS = 60_000;

/**
 * When to poll a job again, ms; false when nothing can change any more.
 * Source: specification § 4, design § 4 (addresses stay watched after the end). @param status undefined before the first answer
 */
export function pollInterval(status: JobStatus | undefined): number | false {
  if (status === 'payment_expired') return LATE_PAYMENT_POLL_MS;
  return status && isFinal(status) ? false : PAYMENT_POLL_MS;
}
