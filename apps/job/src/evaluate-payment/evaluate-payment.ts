import { isInTime } from '@maker/rules';
import type { Deposit } from '../deposit/deposit.ts';
import { findPayment } from '../deposit/payment.ts';
import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/**
 * Evaluates whether a job's payment is complete or missed, from the set of facts alone and never from the order in which they
 * came: enough in time activates, the passed deadline with less expires. Source: design § 4.
 *
 * While payment-watcher has reported more than was credited here, its remaining deposits are still on the way and the
 * job waits for them.
 * @param deposits every deposit of the job that was ever credited
 * @returns undefined when nothing is decided (yet, or any more)
 */
export function evaluatePayment(job: Job, deposits: readonly Deposit[], nowMs: number): JobChange | undefined {
  const payment = findPayment(deposits, job.paymentAmountWei, job.paymentDeadlineMs);
  if (payment) {
    const { payer, amountWei } = payment;
    const returnAddress = job.returnAddress ?? payer;
    return changeStatus(job, 'active', nowMs, { returnAddress, payment: { payer, amountWei } });
  }
  if (job.deadlinePassed && heardOfInTime(job, deposits) >= job.deadlinePassed.receivedWei) {
    return changeStatus(job, 'payment_expired', nowMs);
  }
  return undefined;
}

/** All that was ever heard of in time, wei: what was dropped since is not on its way any more. */
function heardOfInTime(job: Job, deposits: readonly Deposit[]): bigint {
  const inTime = deposits.filter(({ blockTimestampMs }) => isInTime(blockTimestampMs, job.paymentDeadlineMs));
  return inTime.reduce((sum, { amountWei }) => sum + amountWei, 0n);
}
