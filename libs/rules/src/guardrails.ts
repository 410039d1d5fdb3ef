/** Gas price above which no order is placed, wei per gas (10 gwei). Source: specification § 9. */
export const GAS_GUARDRAIL_WEI = 10_000_000_000n;

/** HYPE side that the deepest pool of a token must have for a new job, wei (10 HYPE). */
export const MINIMUM_LIQUIDITY_WEI = 10_000_000_000_000_000_000n;

/** Base plus priority fee above 10 gwei pauses, at or below resumes. Wei per gas. Source: specification § 9. */
export function exceedsGasGuardrail(baseFeeWei: bigint, priorityFeeWei: bigint): boolean {
  return baseFeeWei + priorityFeeWei > GAS_GUARDRAIL_WEI;
}

/** How much less than quoted an order may receive, basis points: half of the limit, all of it on the retry. Source: design § 4a. */
export function orderSlippage(limitBps: bigint, isRetry: boolean): bigint {
  return isRetry ? limitBps : (limitBps + 1n) / 2n;
}

/** Least that an order must receive: the quote less the slippage tolerance. Token units; tolerance in basis points. */
export function minimumOut(quotedOut: bigint, slippageBps: bigint): bigint {
  return (quotedOut * (10_000n - slippageBps)) / 10_000n;
}
