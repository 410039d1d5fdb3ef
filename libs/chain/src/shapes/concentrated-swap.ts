import { PRICE_SCALE } from '@maker/rules';
import { type Address, parseAbi } from 'viem';
import { type EventLog, eventReader } from '../decode.ts';
import type { RouterSwap } from './concentrated-adapter.ts';
import type { ActiveRange } from './concentrated-math.ts';
import type { PoolTradeEvent, Purchase, TradeAmounts } from './exchange-shape.ts';

/** The trade event of Uniswap V3 and most of its forks. */
export const CONCENTRATED_SWAP =
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)';

/** Reads trade events among other logs. */
export type SwapReader = (logs: readonly EventLog[]) => readonly {
  readonly address: Address;
  readonly args: {
    readonly amount0: bigint;
    readonly amount1: bigint;
    readonly sqrtPriceX96: bigint;
    readonly liquidity: bigint;
    readonly tick: number;
    /** Fees of the swap, in the events that have them. */
    readonly overrideFee?: number;
    readonly pluginFee?: number;
  };
}[];

const concentratedSwaps: SwapReader = eventReader(parseAbi([CONCENTRATED_SWAP]));

/** Trades in the events of pools with concentrated liquidity. @param swapsIn reads an event of another form */
export function concentratedTrades(
  logs: readonly EventLog[],
  swapsIn: SwapReader = concentratedSwaps,
): readonly PoolTradeEvent[] {
  return swapsIn(logs).map(({ address, args: { amount0, amount1 } }) => ({
    pool: address,
    amount0In: positive(amount0),
    amount1In: positive(amount1),
    amount0Out: positive(-amount0),
    amount1Out: positive(-amount1),
  }));
}

/** The state of a pool after a purchase, by its event. */
export interface ConcentratedSwap extends TradeAmounts {
  /** Whether wrapped HYPE is token0. */
  readonly isFirstIn: boolean;
  readonly sqrtPriceX96: bigint;
  /** Liquidity in range after the trade. */
  readonly liquidity: bigint;
  /** Price in wei for the token's smallest unit, times 2^96. */
  readonly priceAfterX96: bigint;
}

/**
 * Reads the event of a purchase. @param swapsIn reads an event of another form
 * @returns undefined for an event of another form, or a purchase that brought nothing
 */
export function concentratedSwapIn(
  swap: EventLog,
  swapsIn: SwapReader = concentratedSwaps,
): ConcentratedSwap | undefined {
  const args = swapsIn([swap])[0]?.args;
  if (!args) return undefined;
  const { amount0, amount1, sqrtPriceX96, liquidity } = args;
  const isFirstIn = amount0 > 0n;
  const { inWei, outTokens }: TradeAmounts = isFirstIn
    ? { inWei: amount0, outTokens: -amount1 }
    : { inWei: amount1, outTokens: -amount0 };
  if (outTokens <= 0n || sqrtPriceX96 <= 0n) return undefined;
  const squared = sqrtPriceX96 * sqrtPriceX96;
  // The pool's price is token1 per token0.
  const priceAfterX96 = isFirstIn ? (PRICE_SCALE * PRICE_SCALE * PRICE_SCALE) / squared : squared / PRICE_SCALE;
  if (priceAfterX96 <= 0n) return undefined;
  return { isFirstIn, inWei, outTokens, sqrtPriceX96, liquidity, priceAfterX96 };
}

/** Price and active liquidity after a trade. @returns undefined for any other event */
export function rangeAfterSwap(swap: EventLog, swapsIn: SwapReader = concentratedSwaps): ActiveRange | undefined {
  const args = swapsIn([swap])[0]?.args;
  return args && { sqrtPriceX96: args.sqrtPriceX96, tick: args.tick, liquidity: args.liquidity };
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

/** Side effect of a purchase with a price limit: unspent money stays in the router, where anyone can take it. */
export function priceLimitAside(limit: bigint): string | undefined {
  return limit === 0n ? undefined : 'stops at a price, and leaves in the router what it did not spend';
}

/** The purchase in a router's call. @param aside its side effect */
export function concentratedPurchase(swap: RouterSwap, aside: string | undefined): Purchase {
  return {
    tokenIn: swap.tokenIn,
    tokenOut: swap.tokenOut,
    recipient: swap.recipient,
    minimumTokens: swap.amountOutMinimum,
    amountInWei: swap.amountIn,
    deadlineSeconds: swap.deadline,
    ...(aside && { aside }),
  };
}
