import { PRICE_SCALE } from '@maker/rules';
import { concentratedSwapIn } from '../concentrated-swap.ts';
import type { PoolTrade, TradeEvidence } from '../pool-trade.ts';

const MILLION = 1_000_000n;

/**
 * V3 tells its price after the trade alone. Where liquidity is even, the price paid without the fee is the geometric mean of
 * those before and after, which gives the one before; where a trade crosses a tick it is near that.
 */
export function uniswapV3TradeOf({ swap, feeTier }: TradeEvidence): PoolTrade | undefined {
  const read = concentratedSwapIn(swap);
  if (!read || feeTier === undefined) return undefined;
  const { inWei, outTokens, priceAfterX96 } = read;
  // Pools round their fee up.
  const poolFeeWei = (inWei * BigInt(feeTier) + MILLION - 1n) / MILLION;
  const paidX96 = ((inWei - poolFeeWei) * PRICE_SCALE) / outTokens;
  return { priceBeforeX96: (paidX96 * paidX96) / priceAfterX96, priceAfterX96, poolFeeWei };
}
