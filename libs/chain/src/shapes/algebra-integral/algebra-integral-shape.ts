import { PRICE_SCALE } from '@maker/rules';
import { type Address, isAddressEqual, zeroAddress } from 'viem';
import { decodeCall } from '../../decode.ts';
import { concentratedPurchase, concentratedSwapIn, concentratedTrades, priceLimitAside } from '../concentrated-swap.ts';
import { poolIn } from '../exchange-entry.ts';
import type { ExchangeShape, PoolTrade, TradeEvidence } from '../exchange-shape.ts';
import { AlgebraIntegralAdapter } from './algebra-integral-adapter.ts';
import {
  type AlgebraIntegralExchange,
  algebraIntegralChecks,
  algebraIntegralExchangeSchema,
  algebraPoolQuery,
  algebraRouterAbi,
} from './algebra-integral-exchange.ts';
import { algebraIntegralHistory } from './algebra-integral-history.ts';
import { algebraSwapsIn } from './algebra-swaps.ts';

/**
 * Computes a trade's effect. The fee varies, and not every version's event contains it. Liquidity, the price after and the tokens out give
 * the price before. The move between both prices needs the amount without the fee. If a trade crosses a tick, it is approximate.
 */
function tradeOf({ swap }: TradeEvidence): PoolTrade | undefined {
  const read = concentratedSwapIn(swap, algebraSwapsIn);
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

/** A side effect of a call beyond a purchase in the standard pool, in words. */
function asideOf({ deployer, limitSqrtPrice }: { deployer: Address; limitSqrtPrice: bigint }): string | undefined {
  if (isAddressEqual(deployer, zeroAddress)) return priceLimitAside(limitSqrtPrice);
  return `buys from a pool of the deployer ${deployer}, not of the exchange`;
}

/** Algebra Integral 1.2, such as KittenSwap. */
export const algebraIntegralShape = {
  kind: 'algebra-integral',
  schema: algebraIntegralExchangeSchema,
  checks: algebraIntegralChecks,
  adapterOf: (exchange) => new AlgebraIntegralAdapter(exchange),
  proof: {
    readPurchase(input) {
      const call = decodeCall(algebraRouterAbi, input);
      return call && concentratedPurchase(call.args[0], asideOf(call.args[0]));
    },
    poolOf: (exchange, { tokenIn, tokenOut }) => ({
      calls: [algebraPoolQuery(exchange, tokenOut, tokenIn)],
      decode: ([returned]) => poolIn(returned),
    }),
    tradesIn: (logs) => concentratedTrades(logs, algebraSwapsIn),
  },
  history: algebraIntegralHistory,
  tradeOf,
  shownAs: 'V3',
  describe: () => 'as the registry says',
} as const satisfies ExchangeShape<'algebra-integral', AlgebraIntegralExchange>;
