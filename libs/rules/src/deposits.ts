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

/** Enough, too little, too much, too late. @param lateWei sum of what came after the deadline @param requiredWei the payment amount */
export function assessDeposits(inTimeWei: bigint, lateWei: bigint, requiredWei: bigint): DepositAssessment {
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
