import { PRICE_SCALE } from '@maker/rules';
import { concentratedSwapIn } from '../concentrated-swap.ts';
import type { PoolTrade, TradeEvidence } from '../pool-trade.ts';
import { algebraSwaps } from './algebra-integral-swaps.ts';

/**
 * The fee changes between trades and stands in no event that all versions have. Liquidity, the price after the trade and what left
 * the pool give the price before; what that move takes is paid without the fee. Where a trade crosses a tick it is near that.
 */
export function algebraIntegralTradeOf({ swap }: TradeEvidence): PoolTrade | undefined {
  const read = concentratedSwapIn(swap, algebraSwaps);
  if (!read || read.liquidity === 0n) return undefined;
  const { isFirstIn, inWei, outTokens, sqrtPriceX96: after, liquidity, priceAfterX96 } = read;
  const before = isFirstIn
    ? after + (outTokens * PRICE_SCALE) / liquidity
    : (after * liquidity * PRICE_SCALE) / (liquidity * PRICE_SCALE + outTokens * after);
  if (before <= 0n) return undefined;
  const neededWei = isFirstIn
    ? (liquidity * PRICE_SCALE * (before - after)) / (after * before)
    : (liquidity * (after - before)) / PRICE_SCALE;
  const priceBeforeX96 = isFirstIn
    ? (PRICE_SCALE * PRICE_SCALE * PRICE_SCALE) / (before * before)
    : (before * before) / PRICE_SCALE;
  return { priceBeforeX96, priceAfterX96, poolFeeWei: neededWei < inWei ? inWei - neededWei : 0n };
}
