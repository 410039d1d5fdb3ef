import type { Deposit } from '../deposit/deposit.ts';
import { evaluatePayment } from '../evaluate-payment/evaluate-payment.ts';
import type { Job } from '../job/job.ts';
import type { JobChange } from '../job/job-change.ts';

/**
 * Records that the chain passed the deadline without enough money in the wallet, and expires the job, unless credited deposits pay
 * for it. Source: design § 4 'Deadline'.
 * @param passed recorded for operators
 * @returns undefined if the job no longer waits for its payment
 */
export function expireJob(
  job: Job,
  deposits: readonly Deposit[],
  passed: NonNullable<Job['deadlinePassed']>,
  nowMs: number,
): JobChange | undefined {
  if (job.status !== 'pending_payment') return undefined;
  const noted: Job = { ...job, deadlinePassed: passed };
  const evaluated = evaluatePayment(noted, deposits, nowMs);
  return evaluated ? { ...evaluated, before: job } : { before: job, after: noted };
}
