import { isInTime } from '@maker/rules';
import type { Deposit } from '../deposit/deposit.ts';
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
  if (job.assessment.sufficient) {
    return changeStatus(job, 'active', nowMs, {
      returnAddress: job.returnAddress ?? payerOf(deposits, job.paymentDeadlineMs),
    });
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

/**
 * Who paid: the sender whose plain transfers in time add up to most, the first of equals. The greatest and not simply
 * the first, so that nobody can divert a return by sending dust to the public address ahead of the payer.
 * Null when all of it came from contracts or as system credits. Source: design § 4 'Return address'.
 */
export function payerOf(deposits: readonly Deposit[], deadlineMs: number): string | null {
  const sentWei = new Map<string, bigint>();
  const inBlockOrder = [...deposits].sort((one, other) => one.blockNumber - other.blockNumber);
  for (const { kind, from, amountWei, blockTimestampMs, dropped } of inBlockOrder) {
    if (dropped || kind !== 'transfer' || !from || !isInTime(blockTimestampMs, deadlineMs)) continue;
    sentWei.set(from, (sentWei.get(from) ?? 0n) + amountWei);
  }
  let payer: string | null = null;
  let mostWei = 0n;
  for (const [sender, wei] of sentWei) {
    if (wei <= mostWei) continue;
    payer = sender;
    mostWei = wei;
  }
  return payer;
}
