import { PRICE_SCALE } from '@maker/rules';
import { parseAbi } from 'viem';
import { eventReader } from '../decode.ts';
import { pairTrades } from './pair-proof.ts';
import type { PoolTrade, TradeAmounts, TradeEvidence } from './pool-trade.ts';

const reservesIn = eventReader(parseAbi(['event Sync(uint112 reserve0, uint112 reserve1)']));

/** What a trade did to a pair, by the reserves that the pair tells: the fee shows in them. */
export function pairTradeOf({ swap, logs }: TradeEvidence): PoolTrade | undefined {
  const [trade] = pairTrades([swap]);
  const sync = reservesIn(logs).at(-1);
  if (!trade || !sync) return undefined;
  const { reserve0, reserve1 } = sync.args;
  const isFirstIn = trade.amount0In > 0n;
  const { inWei, outTokens }: TradeAmounts = isFirstIn
    ? { inWei: trade.amount0In, outTokens: trade.amount1Out }
    : { inWei: trade.amount1In, outTokens: trade.amount0Out };
  const [wrappedAfter, tokensAfter] = isFirstIn ? [reserve0, reserve1] : [reserve1, reserve0];
  const wrappedBefore = wrappedAfter - inWei;
  const tokensBefore = tokensAfter + outTokens;
  if (outTokens <= 0n || wrappedBefore <= 0n || tokensAfter <= 0n) return undefined;
  // What x × y = k takes for these tokens, rounded up; the rest of what came in is the fee.
  const neededWei = (outTokens * wrappedBefore + tokensAfter - 1n) / tokensAfter;
  return {
    priceBeforeX96: (wrappedBefore * PRICE_SCALE) / tokensBefore,
    priceAfterX96: (wrappedAfter * PRICE_SCALE) / tokensAfter,
    poolFeeWei: neededWei < inWei ? inWei - neededWei : 0n,
  };
}
