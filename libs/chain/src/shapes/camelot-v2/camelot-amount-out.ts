/** State of a Camelot pair on the x·y curve, as one direction of it needs it. */
export interface CamelotDirection {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  /** Of the token that is paid in, in thousandths of a percent (300 is 0.3 %). */
  readonly feePercent: number;
}

const WHOLE = 100_000n;

/**
 * What a Camelot pair gives for an amount. Source: hyperevm § 2.0: the fee is per direction and can change.
 * @returns in the smallest unit of what is bought; 0 for an empty pair
 */
export function camelotAmountOut(amountIn: bigint, { reserveIn, reserveOut, feePercent }: CamelotDirection): bigint {
  if (reserveIn === 0n || reserveOut === 0n) return 0n;
  const kept = amountIn * (WHOLE - BigInt(feePercent));
  return (kept * reserveOut) / (reserveIn * WHOLE + kept);
}
