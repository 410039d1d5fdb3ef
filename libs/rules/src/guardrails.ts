/** Gas price above which no order is placed, wei per gas (10 gwei). Source: specification § 9. */
export const GAS_GUARDRAIL_WEI = 10_000_000_000n;

/**
 * Whether gas is too dear to trade: base plus priority fee above 10 gwei pauses, at or below resumes.
 * Source: specification § 9. Both in wei per gas.
 */
export function exceedsGasGuardrail(baseFeeWei: bigint, priorityFeeWei: bigint): boolean {
  return baseFeeWei + priorityFeeWei > GAS_GUARDRAIL_WEI;
}

/**
 * Whether the price has left the band above the job's first price. Prices are tokens received for the same HYPE, so
 * fewer tokens is a higher price. Source: design § 2.4.
 * @param startTokens token units that the reference HYPE amount bought at the start
 * @param currentTokens token units that it buys now
 * @param bandBps allowed rise in basis points
 */
export function exceedsPriceBand(startTokens: bigint, currentTokens: bigint, bandBps: bigint): boolean {
  return currentTokens * (10_000n + bandBps) < startTokens * 10_000n;
}

/** Least that an order must receive: the quote less the slippage tolerance. Token units; tolerance in basis points. */
export function minimumOut(quotedOut: bigint, slippageBps: bigint): bigint {
  return (quotedOut * (10_000n - slippageBps)) / 10_000n;
}
