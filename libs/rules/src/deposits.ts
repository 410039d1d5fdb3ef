import { leastStartingWei } from './least-payment.ts';

/** Assessment of a job's deposits; `underpaid` excludes `sufficient`, and `late` is independent. Source: design § 4 'Amounts'. */
export interface DepositAssessment {
  /** Sum of the deposits before the deadline, wei. */
  readonly inTimeWei: bigint;
  /** Sum of the deposits after it, wei. */
  readonly lateWei: bigint;
  /** The deposits before the deadline start the job by themselves ({@link leastStartingWei}). */
  readonly sufficient: boolean;
  readonly underpaid: boolean;
  readonly overpaid: boolean;
  readonly late: boolean;
}

/**
 * Assesses the sums of a job's deposits: enough, too little, too much, too late.
 * @param inTimeWei sum of the deposits before the deadline, wei
 * @param lateWei sum of the deposits after it, wei
 * @param requiredWei the job's payment amount, wei
 */
export function assessDeposits(inTimeWei: bigint, lateWei: bigint, requiredWei: bigint): DepositAssessment {
  const sufficient = inTimeWei >= leastStartingWei(requiredWei);
  return {
    inTimeWei,
    lateWei,
    sufficient,
    underpaid: inTimeWei > 0n && !sufficient,
    overpaid: inTimeWei > requiredWei,
    late: lateWei > 0n,
  };
}
