import { isInTime } from '@maker/rules';
import { type Deposit, transfersOf } from '../deposit/deposit.ts';
import { findPayment } from '../deposit/payment.ts';
import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/** Transactions of a payment that its receipt shows: anyone may send any number. */
const MOST_SHOWN = 10;

/**
 * Whether the evaluation of a job's payment has to look at its deposits, and not at their sums alone. Anyone may send any
 * number of them, so that they are read once, for the decision.
 */
export function needsDeposits(job: Job): boolean {
  if (job.status !== 'pending_payment') return false;
  return job.assessment.sufficient || (job.deadlinePassed !== undefined && job.droppedWei > 0n);
}

/**
 * Evaluates whether a job's payment is complete or missed, from the set of facts alone and never from the order in which they
 * came: enough in time activates, the passed deadline with less expires. Source: design § 4.
 *
 * While payment-watcher has reported more than was credited here, its remaining deposits are still on the way and the
 * job waits for them.
 * @param deposits every deposit of the job that was ever credited; may be empty unless {@link needsDeposits}
 * @returns undefined when nothing is decided (yet, or any more)
 */
export function evaluatePayment(job: Job, deposits: readonly Deposit[], nowMs: number): JobChange | undefined {
  const payment = job.assessment.sufficient && findPayment(deposits, job.paymentAmountWei, job.paymentDeadlineMs);
  if (payment) {
    const { payer, amountWei } = payment;
    const returnAddress = job.returnAddress ?? payer;
    const ids = new Set(payment.depositIds);
    const paying = deposits.filter(({ depositId }) => ids.has(depositId));
    const paidAtMs = Math.max(...paying.map(({ blockTimestampMs }) => blockTimestampMs));
    const paid = { payer, amountWei, transactions: transfersOf(paying).slice(0, MOST_SHOWN) };
    const activated = changeStatus(job, 'active', nowMs, { returnAddress, payment: paid, paidAtMs });
    const isPayers = job.returnAddress === null && payer !== null;
    return activated && isPayers ? { ...activated, paidBy: transfersOf(paying) } : activated;
  }
  if (job.deadlinePassed && heardOfInTime(job, deposits) >= job.deadlinePassed.receivedWei) {
    return changeStatus(job, 'payment_expired', nowMs);
  }
  return undefined;
}

/** All that was ever heard of in time, wei: what was dropped since is not on its way any more. */
function heardOfInTime(job: Job, deposits: readonly Deposit[]): bigint {
  return deposits
    .filter(({ dropped, blockTimestampMs }) => dropped && isInTime(blockTimestampMs, job.paymentDeadlineMs))
    .reduce((sum, { amountWei }) => sum + amountWei, job.assessment.inTimeWei);
}
