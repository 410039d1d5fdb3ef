import { leastStartingWei } from '@maker/rules';
import type { Deposit } from '../deposit/deposit.ts';
import { findPayment, type Payment } from '../deposit/payment.ts';
import type { Job } from '../job/job.ts';

/** Why the holder of the stop secret cannot start a job with the money that has arrived. */
export type NotStartable = 'ended' | 'deadline_passed' | 'nothing_arrived' | 'below_minimum' | 'unknown_payer';

/**
 * Decides from a job's sums whether it cannot be started with less than its amount, so that its deposits need not be read.
 * @param minimumWei of the service, wei @returns undefined if the deposits decide
 */
export function notStartable(
  { status, deadlinePassed, paymentDeadlineMs, assessment: { inTimeWei } }: Job,
  minimumWei: bigint,
  nowMs: number,
): NotStartable | undefined {
  if (status !== 'pending_payment') return 'ended';
  if (deadlinePassed !== undefined || nowMs > paymentDeadlineMs) return 'deadline_passed';
  if (inTimeWei === 0n) return 'nothing_arrived';
  return inTimeWei < leastStartingWei(minimumWei) ? 'below_minimum' : undefined;
}

/**
 * Finds the payment with which the holder of the stop secret may start a job before its whole amount has come. Its payer follows from
 * the same rule as that of a whole amount. Money of an unknown payer needs a named return address. Source: docs/adr/0148.
 * @param deposits of the job @param minimumWei of the service, wei
 */
export function startablePayment(
  job: Job,
  deposits: readonly Deposit[],
  minimumWei: bigint,
  nowMs: number,
): Payment | NotStartable {
  const refusal = notStartable(job, minimumWei, nowMs);
  if (refusal) return refusal;
  const payment = findPayment(deposits, leastStartingWei(minimumWei), job.paymentDeadlineMs);
  if (!payment) return 'below_minimum';
  return payment.payer === null && job.returnAddress === null ? 'unknown_payer' : payment;
}
