/** Gas price above which no order is placed, wei per gas (10 gwei). Source: specification § 9. */
export const GAS_GUARDRAIL_WEI = 10_000_000_000n;

/** HYPE side that the deepest pool of a token must have for a new job, wei (10 HYPE). */
export const MINIMUM_LIQUIDITY_WEI = 10_000_000_000_000_000_000n;

/**
 * Whether gas is too dear to trade: base plus priority fee above 10 gwei pauses, at or below resumes.
 * Source: specification § 9. Both in wei per gas.
 */
export function exceedsGasGuardrail(baseFeeWei: bigint, priorityFeeWei: bigint): boolean {
  return baseFeeWei + priorityFeeWei > GAS_GUARDRAIL_WEI;
}

/**
 * What an order may receive less than its quote: half of the published limit at first, all of it when it is tried once
 * more. Basis points. Source: design § 4a.
 */
export function orderSlippage(limitBps: bigint, isRetry: boolean): bigint {
  return isRetry ? limitBps : (limitBps + 1n) / 2n;
}

/** Least that an order must receive: the quote less the slippage tolerance. Token units; tolerance in basis points. */
export function minimumOut(quotedOut: bigint, slippageBps: bigint): bigint {
  return (quotedOut * (10_000n - slippageBps)) / 10_000n;
}
