import { assessDeposits, isInTime } from '@maker/rules';
import type { Deposit } from '../deposit/deposit.ts';
import type { Job } from '../job/job.ts';

/**
 * Counts a report of one deposit: credited, moved to another block, or dropped. The sums change by this deposit only, without
 * reading others. Money after the deadline or the end of the job changes only the sums and flags.
 * Source: design § 4 'Amounts'.
 * @param before the deposit as counted so far; null for a new one
 */
export function countDeposit(job: Job, before: Deposit | null, deposit: Deposit): Job {
  const sums = { inTimeWei: job.assessment.inTimeWei, lateWei: job.assessment.lateWei, droppedWei: job.droppedWei };
  if (before) sums[sumOf(job, before)] -= before.amountWei;
  sums[sumOf(job, deposit)] += deposit.amountWei;
  const { inTimeWei, lateWei, droppedWei } = sums;
  return { ...job, assessment: assessDeposits(inTimeWei, lateWei, job.paymentAmountWei), droppedWei };
}

function sumOf(job: Job, { dropped, blockTimestampMs }: Deposit): 'inTimeWei' | 'lateWei' | 'droppedWei' {
  if (dropped) return 'droppedWei';
  return isInTime(blockTimestampMs, job.paymentDeadlineMs) ? 'inTimeWei' : 'lateWei';
}
