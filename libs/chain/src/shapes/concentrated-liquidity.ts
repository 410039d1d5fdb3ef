const Q96 = 2n ** 96n;

/** State of a V3 pool as its liquidity figure needs it. */
export interface ConcentratedPoolState {
  /** Square root of token1 per token0, as a Q64.96 number; 0 before the pool is initialised. */
  readonly sqrtPriceX96: bigint;
  /** In range now. */
  readonly liquidity: bigint;
  /** Wrapped HYPE that the pool holds, wei. */
  readonly wrappedBalanceWei: bigint;
  readonly wrappedIsToken0: boolean;
}

/**
 * HYPE side of a V3 pool: the smaller of the wrapped HYPE it holds and its virtual reserve at the current price.
 * The balance alone counts positions far from the price and uncollected fees, which trade with nobody; the virtual
 * reserve alone counts depth that a narrow position pretends to have. Neither can inflate the smaller of the two.
 * Source: docs/adr/0001. @returns wei
 */
export function concentratedLiquidityWei(state: ConcentratedPoolState): bigint {
  if (state.sqrtPriceX96 === 0n) return 0n;
  const virtualWei = state.wrappedIsToken0
    ? (state.liquidity * Q96) / state.sqrtPriceX96
    : (state.liquidity * state.sqrtPriceX96) / Q96;
  return virtualWei < state.wrappedBalanceWei ? virtualWei : state.wrappedBalanceWei;
}
