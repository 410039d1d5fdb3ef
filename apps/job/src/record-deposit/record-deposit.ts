import { assessDeposits } from '@maker/rules';
import type { Deposit } from '../deposit/deposit.ts';
import { evaluatePayment } from '../evaluate-payment/evaluate-payment.ts';
import type { Job } from '../job/job.ts';
import type { JobChange } from '../job/job-change.ts';

/**
 * Counts a job's money again after a deposit was credited, moved to another block or dropped, and activates the job once there is enough in time.
 * Money that comes later, or when the job has ended, shows in the sums and flags only. Source: design § 4 'Amounts'.
 * @param deposits every deposit of the job that was ever credited, the new one among them
 */
export function recordDeposit(job: Job, deposits: readonly Deposit[], nowMs: number): JobChange {
  const standing = deposits.filter(({ dropped }) => !dropped);
  const counted: Job = {
    ...job,
    assessment: assessDeposits(standing, job.paymentAmountWei, job.paymentDeadlineMs),
    droppedWei: deposits.reduce((sum, { amountWei, dropped }) => (dropped ? sum + amountWei : sum), 0n),
  };
  const evaluated = evaluatePayment(counted, deposits, nowMs);
  return evaluated ? { ...evaluated, before: job } : { before: job, after: counted };
}
