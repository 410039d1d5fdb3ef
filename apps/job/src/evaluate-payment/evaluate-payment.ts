import type { DepositTransaction } from '@maker/contracts';
import { isInTime, leastStartingWei } from '@maker/rules';
import { type Deposit, transfersOf } from '../deposit/deposit.ts';
import { findPayment, type Payment } from '../deposit/payment.ts';
import type { Job } from '../job/job.ts';
import { changeStatus, type JobChange } from '../job/job-change.ts';

/** Most transactions of a payment that the API lists: anyone can send any number. */
const MOST_SHOWN = 10;

/**
 * Whether the evaluation of a job's payment needs its deposits, and not only their sums. Anyone can send any
 * number of them, so the service reads them once, for the decision.
 */
export function needsDeposits(job: Job): boolean {
  if (job.status !== 'pending_payment') return false;
  return job.assessment.sufficient || (job.deadlinePassed !== undefined && job.droppedWei > 0n);
}

/**
 * Decides whether a job's payment is complete or missed. The result does not depend on the order of messages:
 * enough money in time activates the job, less at the passed deadline expires it. Source: design § 4.
 *
 * If payment-watcher reported more than was credited here, more deposits are on the way and the job waits for them.
 * @param deposits all deposits of the job that were ever credited; may be empty unless {@link needsDeposits}
 * @returns undefined if there is nothing to decide now
 */
export function evaluatePayment(job: Job, deposits: readonly Deposit[], nowMs: number): JobChange | undefined {
  const payment =
    job.assessment.sufficient && findPayment(deposits, leastStartingWei(job.paymentAmountWei), job.paymentDeadlineMs);
  if (payment) return activate(job, payment, deposits, nowMs);
  if (job.deadlinePassed && receivedInTimeWei(job, deposits) >= job.deadlinePassed.receivedWei) {
    return changeStatus(job, 'payment_expired', nowMs);
  }
  return undefined;
}

/**
 * Activates a job with a payment. The other deposits are refunded.
 * @param deposits of the job, with those of the payment @param startAtMs start of the plan, ms; the newest block of the payment if absent
 * @returns undefined if the job no longer waits for its payment
 */
export function activate(
  job: Job,
  { payer, amountWei, depositIds }: Payment,
  deposits: readonly Deposit[],
  nowMs: number,
  startAtMs = 0,
): JobChange | undefined {
  const ids = new Set(depositIds);
  const paying = deposits.filter(({ depositId }) => ids.has(depositId));
  const transfers = transfersOf(paying);
  const activated = changeStatus(job, 'active', nowMs, {
    returnAddress: job.returnAddress ?? payer,
    payment: { payer, amountWei, transactions: transactionsOf(paying).slice(0, MOST_SHOWN) },
    paidAtMs: Math.max(startAtMs, ...paying.map(({ blockTimestampMs }) => blockTimestampMs)),
  });
  const isPayers = job.returnAddress === null && payer !== null;
  return activated && { ...activated, paying: depositIds, ...(isPayers && { paidBy: transfers }) };
}

/** The transactions of a payment as its receipt names them. */
function transactionsOf(paying: readonly Deposit[]): DepositTransaction[] {
  return paying.flatMap((deposit) =>
    transfersOf([deposit]).map((transfer) => ({
      ...transfer,
      ...(deposit.from !== undefined && { from: deposit.from }),
      blockNumber: deposit.blockNumber,
      minedAt: new Date(deposit.blockTimestampMs).toISOString(),
    })),
  );
}

/** Sum of all deposits in time that were ever received, wei. It includes dropped ones, because they are not on the way. */
function receivedInTimeWei(job: Job, deposits: readonly Deposit[]): bigint {
  return deposits
    .filter(({ dropped, blockTimestampMs }) => dropped && isInTime(blockTimestampMs, job.paymentDeadlineMs))
    .reduce((sum, { amountWei }) => sum + amountWei, job.assessment.inTimeWei);
}
