/** State of a Camelot pair on the x·y curve for one direction of trade. */
export interface CamelotDirection {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  /** Fee of the token that is paid in, in thousandths of a percent (300 is 0.3 %). */
  readonly feePercent: number;
}

const WHOLE = 100_000n;

/**
 * Amount that a Camelot pair gives for an input. Source: hyperevm § 2.0: the fee is per direction and can change.
 * @returns in the bought token's smallest unit; 0 for an empty pair
 */
export function camelotAmountOut(amountIn: bigint, { reserveIn, reserveOut, feePercent }: CamelotDirection): bigint {
  if (reserveIn === 0n || reserveOut === 0n) return 0n;
  const kept = amountIn * (WHOLE - BigInt(feePercent));
  return (kept * reserveOut) / (reserveIn * WHOLE + kept);
}
