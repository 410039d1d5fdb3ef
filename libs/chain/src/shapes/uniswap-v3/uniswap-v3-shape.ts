import { PRICE_SCALE } from '@maker/rules';
import { encodeFunctionData, type Hex } from 'viem';
import { decodeCall } from '../../decode.ts';
import type { RouterSwap } from '../concentrated-adapter.ts';
import { concentratedPurchase, concentratedSwapIn, concentratedTrades, priceLimitAside } from '../concentrated-swap.ts';
import { poolIn } from '../exchange-entry.ts';
import type { ExchangeShape, PoolTrade, Purchase, TradeEvidence } from '../exchange-shape.ts';
import { UniswapV3Adapter } from './uniswap-v3-adapter.ts';
import {
  type UniswapV3Exchange,
  uniswapV3Checks,
  uniswapV3ExchangeSchema,
  type VerifiedV3Exchange,
  v3FactoryAbi,
  v3Router02Abi,
  v3RouterWithDeadlineAbi,
} from './uniswap-v3-exchange.ts';
import { uniswapV3History } from './uniswap-v3-history.ts';

function readWithDeadline(input: Hex): Purchase | undefined {
  const call = decodeCall(v3RouterWithDeadlineAbi, input);
  if (!call) return undefined;
  const [swap] = call.args;
  return v3Purchase(swap, swap.deadline);
}

/** Reads one swap inside a multicall with the deadline; two swaps would be another purchase. */
function readMulticall(input: Hex): Purchase | undefined {
  const call = decodeCall(v3Router02Abi, input);
  if (call?.functionName !== 'multicall') return undefined;
  const [deadlineSeconds, [data, ...more]] = call.args;
  const swap = data && more.length === 0 ? decodeCall(v3Router02Abi, data) : undefined;
  return swap?.functionName === 'exactInputSingle' ? v3Purchase(swap.args[0], deadlineSeconds) : undefined;
}

interface V3Swap extends Omit<RouterSwap, 'deadline'> {
  readonly fee: number;
  readonly sqrtPriceLimitX96: bigint;
}

function v3Purchase(swap: V3Swap, deadline: bigint): Purchase {
  const aside = priceLimitAside(swap.sqrtPriceLimitX96);
  return { ...concentratedPurchase({ ...swap, deadline }, aside), feeTier: swap.fee };
}

const MILLION = 1_000_000n;

/**
 * Computes the effect of a trade. V3's event has only the price after the trade. With constant liquidity, the price paid without the
 * fee is the geometric mean of the prices before and after, which gives the one before. If a trade crosses a tick, it is approximate.
 */
function tradeOf({ swap, feeTier }: TradeEvidence): PoolTrade | undefined {
  const read = concentratedSwapIn(swap);
  if (!read || feeTier === undefined) return undefined;
  const { inWei, outTokens, priceAfterX96 } = read;
  // Pools round their fee up.
  const poolFeeWei = (inWei * BigInt(feeTier) + MILLION - 1n) / MILLION;
  const paidX96 = ((inWei - poolFeeWei) * PRICE_SCALE) / outTokens;
  return { priceBeforeX96: (paidX96 * paidX96) / priceAfterX96, priceAfterX96, poolFeeWei };
}

/** Uniswap V3 and its forks, with either router and either quoter. */
export const uniswapV3Shape = {
  kind: 'uniswap-v3',
  schema: uniswapV3ExchangeSchema,
  checks: uniswapV3Checks,
  adapterOf: (exchange) => new UniswapV3Adapter(exchange),
  proof: {
    readPurchase: (input) => readWithDeadline(input) ?? readMulticall(input),
    poolOf({ factory }, { tokenIn, tokenOut, feeTier }) {
      const args = [tokenOut, tokenIn, feeTier ?? 0] as const;
      return {
        calls: [{ to: factory, data: encodeFunctionData({ abi: v3FactoryAbi, functionName: 'getPool', args }) }],
        decode: ([returned]) => poolIn(returned),
      };
    },
    tradesIn: concentratedTrades,
  },
  history: uniswapV3History,
  tradeOf,
  shownAs: 'V3',
  describe({ routerHasDeadline, quoterVersion, feeTiers }) {
    const router = routerHasDeadline ? 'SwapRouter' : 'SwapRouter02';
    return `${router}, Quoter V${quoterVersion}, fees ${feeTiers.join(' ')}`;
  },
} as const satisfies ExchangeShape<'uniswap-v3', UniswapV3Exchange, VerifiedV3Exchange>;
