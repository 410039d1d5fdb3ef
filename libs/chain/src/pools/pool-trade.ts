import { PRICE_SCALE } from '@maker/rules';
import { type Log, parseAbi, parseEventLogs } from 'viem';

const reservesEvent = parseAbi(['event Sync(uint112 reserve0, uint112 reserve1)']);
/** Of the V2 shapes, and of V3. */
const swapEvents = parseAbi([
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
]);

const MILLION = 1_000_000n;

/** What a purchase did to its pool. Prices are wei for the token's smallest unit, times 2^96, without the pool's fee. */
export interface PoolTrade {
  readonly priceBeforeX96: bigint;
  readonly priceAfterX96: bigint;
  /** What of the trade was the pool's fee, wei. */
  readonly poolFeeWei: bigint;
}

/** What went into a pool and what came out of it. */
interface Amounts {
  readonly inWei: bigint;
  readonly outTokens: bigint;
}

/**
 * What a transaction's one purchase did to its pool, as the pool's own events tell: V2's two reserves, or V3's price after it.
 * @param receipt only its logs are read
 * @param feeTier of a V3 pool, in hundredths of a basis point; of others the fee shows in their reserves
 * @returns undefined where no pool tells of a purchase
 */
export function poolTradeOf(receipt: { readonly logs: readonly Log[] }, feeTier?: number): PoolTrade | undefined {
  const swap = lastSwap(receipt);
  if (!swap) return undefined;
  if ('sqrtPriceX96' in swap) return feeTier === undefined ? undefined : concentratedTrade(swap, BigInt(feeTier));
  const sync = parseEventLogs({ abi: reservesEvent, logs: [...receipt.logs] }).at(-1);
  return sync && pairTrade(swap, sync.args);
}

/**
 * Tokens that the pool of a transaction's one purchase says it gave for it: more cannot have been bought, whatever the token's own
 * events say. @returns in the token's smallest unit; undefined where no pool tells of a purchase
 */
export function tokensFromPool(receipt: { readonly logs: readonly Log[] }): bigint | undefined {
  const swap = lastSwap(receipt);
  if (!swap) return undefined;
  // One side alone leaves the pool.
  if ('sqrtPriceX96' in swap) return -(swap.amount0 < 0n ? swap.amount0 : swap.amount1);
  return swap.amount0Out + swap.amount1Out;
}

/** A token may tell of trades that never were, while it is moved; the pool tells of its own after that, and nobody is called then. */
function lastSwap({ logs }: { readonly logs: readonly Log[] }) {
  return parseEventLogs({ abi: swapEvents, logs: [...logs] }).at(-1)?.args;
}

function pairTrade(
  swap: { amount0In: bigint; amount1In: bigint; amount0Out: bigint; amount1Out: bigint },
  { reserve0, reserve1 }: { reserve0: bigint; reserve1: bigint },
): PoolTrade | undefined {
  const isFirstIn = swap.amount0In > 0n;
  const { inWei, outTokens }: Amounts = isFirstIn
    ? { inWei: swap.amount0In, outTokens: swap.amount1Out }
    : { inWei: swap.amount1In, outTokens: swap.amount0Out };
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

/**
 * V3 tells its price after the trade alone. Where liquidity is even, the price paid without the fee is the geometric mean of
 * those before and after, which gives the one before; where a trade crosses a tick it is near that.
 */
function concentratedTrade(
  { amount0, amount1, sqrtPriceX96 }: { amount0: bigint; amount1: bigint; sqrtPriceX96: bigint },
  feeTier: bigint,
): PoolTrade | undefined {
  const isFirstIn = amount0 > 0n;
  const { inWei, outTokens }: Amounts = isFirstIn
    ? { inWei: amount0, outTokens: -amount1 }
    : { inWei: amount1, outTokens: -amount0 };
  if (outTokens <= 0n || sqrtPriceX96 <= 0n) return undefined;
  const squared = sqrtPriceX96 * sqrtPriceX96;
  // The pool's price is of token1 for token0.
  const priceAfterX96 = isFirstIn ? (PRICE_SCALE * PRICE_SCALE * PRICE_SCALE) / squared : squared / PRICE_SCALE;
  // Pools round their fee up.
  const poolFeeWei = (inWei * feeTier + MILLION - 1n) / MILLION;
  if (priceAfterX96 <= 0n) return undefined;
  const paidX96 = ((inWei - poolFeeWei) * PRICE_SCALE) / outTokens;
  return { priceBeforeX96: (paidX96 * paidX96) / priceAfterX96, priceAfterX96, poolFeeWei };
}
