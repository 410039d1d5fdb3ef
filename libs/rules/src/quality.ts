import { costAt, differenceBps, priceOf } from './price.ts';

/** An order that was mined, as its quality is measured. Formulas: docs/quality.md. */
export interface OrderExecution {
  /** Spent in the pool, wei. */
  readonly tradeWei: bigint;
  /** Gas of its transaction, wei. */
  readonly gasWei: bigint;
  /** Smallest units that arrived, and that were quoted. */
  readonly tokens: bigint;
  readonly quotedTokens: bigint;
  /** The pool's fee, millionths of the trade, as V3 counts its tiers. */
  readonly poolFeePpm: bigint;
  /** The pool's price just before and just after the order, without its fee. X96 */
  readonly priceBeforeX96: bigint;
  readonly priceAfterX96: bigint;
}

/** What quality is measured from. */
export interface QualityRequest {
  /** The pool's price when the visitor saw it, without its fee. X96 */
  readonly arrivalPriceX96: bigint;
  /** wei */
  readonly serviceFeeWei: bigint;
  /** Gas of everything but the orders below: reverted orders, fee, delivery, return. Wei. */
  readonly otherGasWei: bigint;
  /** In the order in which they were mined. */
  readonly orders: readonly OrderExecution[];
}

/** What the payer gave beyond the worth of the tokens at arrival; the parts sum to the total, to the wei. Signed wei. */
export interface Shortfall {
  readonly totalWei: bigint;
  /** What the orders moved the price by, each for itself and for those after it. */
  readonly impactWei: bigint;
  /** What all others moved it by; below zero where they brought it down. */
  readonly driftWei: bigint;
  readonly poolFeeWei: bigint;
  readonly gasWei: bigint;
  readonly serviceFeeWei: bigint;
}

/** How well a job bought. Formulas: docs/quality.md. */
export interface Quality {
  readonly arrivalPriceX96: bigint;
  /** What was spent in pools for each token, pool fee in it. X96 */
  readonly averagePriceX96: bigint;
  /** Tokens fewer than quoted, basis points of the quote; below zero where more arrived. */
  readonly slippageBps: bigint;
  /** `impactWei` in basis points of the tokens' worth at arrival. */
  readonly priceImpactBps: bigint;
  readonly shortfall: Shortfall;
  /** `totalWei` in basis points of the tokens' worth at arrival. */
  readonly shortfallBps: bigint;
}

const MILLION = 1_000_000n;

/** Measures a job, while it trades or after. @returns undefined before anything was bought that is worth a wei */
export function measureQuality(request: QualityRequest): Quality | undefined {
  const { arrivalPriceX96, orders } = request;
  const tokens = sum(orders, (order) => order.tokens);
  const worthWei = costAt(tokens, arrivalPriceX96);
  if (worthWei === 0n) return undefined;
  const shortfall = shortfallOf(request, worthWei);
  const quoted = sum(orders, (order) => order.quotedTokens);
  return {
    arrivalPriceX96,
    averagePriceX96: priceOf(tradedIn(orders), tokens),
    slippageBps: quoted === 0n ? 0n : -differenceBps(tokens, quoted),
    priceImpactBps: differenceBps(worthWei + shortfall.impactWei, worthWei),
    shortfall,
    shortfallBps: differenceBps(worthWei + shortfall.totalWei, worthWei),
  };
}

/** A price at a moment. */
export interface PriceObservation {
  readonly atMs: number;
  readonly priceX96: bigint;
}

/**
 * Time-weighted average price: each observation counts until the next, the last until the end.
 * @param observations in the order of time, none after the end
 * @param untilMs the end, ms
 * @returns X96, cut; undefined where no time passes
 */
export function timeWeightedPrice(observations: readonly PriceObservation[], untilMs: number): bigint | undefined {
  let weighted = 0n;
  let totalMs = 0n;
  observations.forEach(({ atMs, priceX96 }, index) => {
    const lastedMs = BigInt(Math.round((observations[index + 1]?.atMs ?? untilMs) - atMs));
    weighted += priceX96 * lastedMs;
    totalMs += lastedMs;
  });
  return totalMs > 0n ? weighted / totalMs : undefined;
}

/**
 * How many more tokens the job has than one swap of the same HYPE at the start would have brought; below zero if fewer.
 * @param singleSwapTokens see `tokensOfSingleSwap` @returns basis points
 */
export function againstSingleSwap(tokens: bigint, singleSwapTokens: bigint): bigint {
  return differenceBps(tokens, singleSwapTokens);
}

/** How much less the job paid for a token than the pool's TWAP of the same time; below zero if more. Basis points. */
export function againstTwap(averagePriceX96: bigint, twapX96: bigint): bigint {
  return -differenceBps(averagePriceX96, twapX96);
}

function shortfallOf({ serviceFeeWei, otherGasWei, orders }: QualityRequest, worthWei: bigint): Shortfall {
  let movedX96 = 0n;
  let impactWei = 0n;
  for (const order of orders) {
    const ownWei = order.tradeWei - feeIn(order) - costAt(order.tokens, order.priceBeforeX96);
    impactWei += ownWei + costAt(order.tokens, movedX96);
    movedX96 += order.priceAfterX96 - order.priceBeforeX96;
  }
  const tradedWei = tradedIn(orders);
  const poolFeeWei = sum(orders, feeIn);
  const gasWei = otherGasWei + sum(orders, (order) => order.gasWei);
  return {
    totalWei: tradedWei + gasWei + serviceFeeWei - worthWei,
    impactWei,
    driftWei: tradedWei - worthWei - poolFeeWei - impactWei,
    poolFeeWei,
    gasWei,
    serviceFeeWei,
  };
}

/** Pools round their fee up. */
function feeIn({ tradeWei, poolFeePpm }: OrderExecution): bigint {
  return (tradeWei * poolFeePpm + MILLION - 1n) / MILLION;
}

function tradedIn(orders: readonly OrderExecution[]): bigint {
  return sum(orders, (order) => order.tradeWei);
}

function sum(orders: readonly OrderExecution[], of: (order: OrderExecution) => bigint): bigint {
  return orders.reduce((total, order) => total + of(order), 0n);
}
