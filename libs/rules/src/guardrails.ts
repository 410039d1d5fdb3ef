/** Gas price above which the service places no order, wei per gas (10 gwei). Source: specification § 9. */
export const GAS_GUARDRAIL_WEI = 10_000_000_000n;

/** HYPE side that the deepest pool of a token must have for a new job, wei (10 HYPE). */
export const MINIMUM_LIQUIDITY_WEI = 10_000_000_000_000_000_000n;

/**
 * Whether gas is too dear to trade: a base plus priority fee above 10 gwei pauses orders, at or below resumes them.
 * Source: specification § 9. Both in wei per gas.
 */
export function exceedsGasGuardrail(baseFeeWei: bigint, priorityFeeWei: bigint): boolean {
  return baseFeeWei + priorityFeeWei > GAS_GUARDRAIL_WEI;
}

/**
 * How much less than its quote an order may receive: half of the published limit at first, the whole limit at its retry.
 * Basis points. Source: design § 4a.
 */
export function orderSlippage(limitBps: bigint, isRetry: boolean): bigint {
  return isRetry ? limitBps : (limitBps + 1n) / 2n;
}

/** Least that an order must receive: the quote minus the slippage tolerance. Token units; tolerance in basis points. */
export function minimumOut(quotedOut: bigint, slippageBps: bigint): bigint {
  return (quotedOut * (10_000n - slippageBps)) / 10_000n;
}
