import type { DepositTransaction } from '@maker/contracts';
import { leastStartingWei } from '@maker/rules';
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
  return job.status === 'pending_payment' && job.assessment.sufficient;
}

/**
 * Decides whether a job's payment is complete or missed: enough money in time activates the job, less at the passed deadline
 * expires it. maker-executor has then seen too little money in the wallet, so that no report is waited for. Source: design § 4,
 * docs/adr/0170.
 * @param deposits all deposits of the job that were ever credited; may be empty unless {@link needsDeposits}
 * @returns undefined if there is nothing to decide now
 */
export function evaluatePayment(job: Job, deposits: readonly Deposit[], nowMs: number): JobChange | undefined {
  const payment =
    job.assessment.sufficient && findPayment(deposits, leastStartingWei(job.paymentAmountWei), job.paymentDeadlineMs);
  if (payment) return activate(job, payment, deposits, nowMs);
  return job.deadlinePassed && changeStatus(job, 'payment_expired', nowMs);
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
