import { isInTime } from './deadline.ts';

/** A deposit as far as the rules need it. */
export interface DepositFact {
  readonly amountWei: bigint;
  /** Timestamp of the block that holds it, ms. */
  readonly blockTimestampMs: number;
}

/** What arrived for a job; the three flags are independent. Source: design § 4 'Amounts'. */
export interface DepositAssessment {
  /** Sum of the deposits before the deadline, wei. */
  readonly inTimeWei: bigint;
  /** Sum of those after it, wei. */
  readonly lateWei: bigint;
  readonly sufficient: boolean;
  readonly underpaid: boolean;
  readonly overpaid: boolean;
  readonly late: boolean;
}

/**
 * Adds up what arrived and says what it is: enough, too little, too much, too late.
 * @param deposits every credited deposit of the job
 * @param requiredWei the job's payment amount, wei
 * @param deadlineMs the job's deadline, ms
 */
export function assessDeposits(
  deposits: readonly DepositFact[],
  requiredWei: bigint,
  deadlineMs: number,
): DepositAssessment {
  let inTimeWei = 0n;
  let lateWei = 0n;
  for (const deposit of deposits) {
    if (isInTime(deposit.blockTimestampMs, deadlineMs)) inTimeWei += deposit.amountWei;
    else lateWei += deposit.amountWei;
  }
  const sufficient = inTimeWei >= requiredWei;
  return {
    inTimeWei,
    lateWei,
    sufficient,
    underpaid: inTimeWei > 0n && !sufficient,
    overpaid: inTimeWei > requiredWei,
    late: lateWei > 0n,
  };
}
