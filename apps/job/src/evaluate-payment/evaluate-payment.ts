import { isInTime } from '@maker/rules';
import { type Deposit, transfersOf } from '../deposit/deposit.ts';
import { findPayment } from '../deposit/payment.ts';
import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/** Transactions of a payment that its receipt shows: anyone may send any number. */
const MOST_SHOWN = 10;

/** Whether the evaluation needs more than the sums. Anyone may send any number of deposits: they are read once, for the decision. */
export function needsDeposits(job: Job): boolean {
  if (job.status !== 'pending_payment') return false;
  return job.assessment.sufficient || (job.deadlinePassed !== undefined && job.droppedWei > 0n);
}

/**
 * Evaluates a payment from the set of facts alone, never from their order: enough in time activates, the passed deadline with less expires.
 * While payment-watcher has reported more than was credited here, the rest is on its way, and the job waits for it. Source: design § 4.
 * @param deposits all that were ever credited; may be empty unless {@link needsDeposits} @returns undefined when nothing is decided
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
