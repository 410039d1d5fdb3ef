import { costAt, differenceBps, priceOf } from './price.ts';

/** The facts about a mined order that its quality needs. Formulas: docs/quality.md. */
export interface OrderExecution {
  /** Spent in the pool, wei. */
  readonly tradeWei: bigint;
  /** Smallest units received and quoted. */
  readonly tokens: bigint;
  readonly quotedTokens: bigint;
  /** The pool's fee of the trade, wei. */
  readonly poolFeeWei: bigint;
  /** The pool's price just before and just after the order, without its fee. X96 */
  readonly priceBeforeX96: bigint;
  readonly priceAfterX96: bigint;
}

/** Sums of a job's orders in the order of mining: the whole input of quality, with a size that does not depend on their number. */
export interface Purchases {
  readonly tradedWei: bigint;
  readonly poolFeeWei: bigint;
  readonly boughtTokens: bigint;
  readonly quotedTokens: bigint;
  readonly impactWei: bigint;
  /** Sum of the price moves by the orders so far. Signed. */
  readonly movedX96: bigint;
  /** Integral of the pool's price over the milliseconds between the first order and the last. */
  readonly heldMsX96: bigint;
  /** Times of the first and the last order; null before the first. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** Pool price after the last order. */
  readonly lastPriceX96: bigint;
}

/** Sums without any order. */
export const NO_PURCHASES: Purchases = {
  tradedWei: 0n,
  poolFeeWei: 0n,
  boughtTokens: 0n,
  quotedTokens: 0n,
  impactWei: 0n,
  movedX96: 0n,
  heldMsX96: 0n,
  firstAtMs: null,
  lastAtMs: null,
  lastPriceX96: 0n,
};

/** Adds an order to the sums. @param minedAtMs time of its block, ms */
export function addPurchase(sums: Purchases, order: OrderExecution, minedAtMs: number): Purchases {
  const { tradeWei, poolFeeWei, tokens, quotedTokens, priceBeforeX96, priceAfterX96 } = order;
  const ownWei = tradeWei - poolFeeWei - costAt(tokens, priceBeforeX96);
  const stoodMs = BigInt(Math.max(0, Math.round(minedAtMs - (sums.lastAtMs ?? minedAtMs))));
  return {
    tradedWei: sums.tradedWei + tradeWei,
    poolFeeWei: sums.poolFeeWei + poolFeeWei,
    boughtTokens: sums.boughtTokens + tokens,
    quotedTokens: sums.quotedTokens + quotedTokens,
    impactWei: sums.impactWei + ownWei + costAt(tokens, sums.movedX96),
    movedX96: sums.movedX96 + priceAfterX96 - priceBeforeX96,
    // The time of the price change between the last order and this one is unknown: the middle is assumed.
    heldMsX96: sums.heldMsX96 + ((sums.lastPriceX96 + priceBeforeX96) * stoodMs) / 2n,
    firstAtMs: sums.firstAtMs ?? minedAtMs,
    lastAtMs: minedAtMs,
    lastPriceX96: priceAfterX96,
  };
}

/** An order with the time of its block, ms. */
export interface MinedPurchase {
  readonly order: OrderExecution;
  readonly minedAtMs: number;
}

/**
 * Removes the newest order from the sums, after its block has left the chain.
 * @param previous the order before it; undefined if it was the only one
 */
export function removePurchase(sums: Purchases, newest: MinedPurchase, previous: MinedPurchase | undefined): Purchases {
  if (!previous) return NO_PURCHASES;
  const { order, minedAtMs } = newest;
  const before: Purchases = {
    ...sums,
    movedX96: sums.movedX96 - order.priceAfterX96 + order.priceBeforeX96,
    lastAtMs: previous.minedAtMs,
    lastPriceX96: previous.order.priceAfterX96,
  };
  const again = addPurchase(before, order, minedAtMs);
  return {
    ...before,
    tradedWei: sums.tradedWei - order.tradeWei,
    poolFeeWei: sums.poolFeeWei - order.poolFeeWei,
    boughtTokens: sums.boughtTokens - order.tokens,
    quotedTokens: sums.quotedTokens - order.quotedTokens,
    impactWei: sums.impactWei - (again.impactWei - before.impactWei),
    heldMsX96: sums.heldMsX96 - (again.heldMsX96 - before.heldMsX96),
  };
}

export interface QualityRequest {
  /** The pool's price when the visitor saw it, without its fee. X96 */
  readonly arrivalPriceX96: bigint;
  /** wei */
  readonly serviceFeeWei: bigint;
  /** Gas of every transaction of the job: orders (also reverted ones), fee, delivery, return. Wei. */
  readonly gasWei: bigint;
  readonly purchases: Purchases;
}

/** The payer's cost beyond the tokens' worth at the arrival price; the parts sum exactly to the total. Signed wei. */
export interface Shortfall {
  readonly totalWei: bigint;
  /** Cost of the price moves by the orders, for each order and for the later ones. */
  readonly impactWei: bigint;
  /** Cost of the price moves by other traders; below zero if they lowered the price. */
  readonly driftWei: bigint;
  readonly poolFeeWei: bigint;
  readonly gasWei: bigint;
  readonly serviceFeeWei: bigint;
}

/** Quality of a job's purchases. Formulas: docs/quality.md. */
export interface Quality {
  readonly arrivalPriceX96: bigint;
  /** Worth of the tokens at the arrival price, wei: the base of the differences. */
  readonly worthWei: bigint;
  /** Average price paid in pools including the pool fee. X96 */
  readonly averagePriceX96: bigint;
  /** How many tokens fewer than quoted arrived, basis points of the quote; below zero if more arrived. */
  readonly slippageBps: bigint;
  /** `impactWei` in basis points of `worthWei`. */
  readonly priceImpactBps: bigint;
  readonly shortfall: Shortfall;
  /** `totalWei` in basis points of `worthWei`. */
  readonly shortfallBps: bigint;
}

/** Quality of a job's purchases, with comparisons to alternatives. Formulas: docs/quality.md. */
export interface JobQuality extends Quality {
  /** Time-weighted average price of the pool over the same time; absent if all orders were mined at one time. X96 */
  readonly twapX96?: bigint;
  /** Basis points; absent without a comparison. Above zero: the job did better. */
  readonly againstSingleSwapBps?: bigint;
  readonly againstTwapBps?: bigint;
}

/** Measures a job during or after trading. @returns undefined while the bought tokens are worth less than a wei */
export function measureQuality(request: QualityRequest): Quality | undefined {
  const { arrivalPriceX96, purchases } = request;
  const { boughtTokens, quotedTokens, tradedWei } = purchases;
  const worthWei = costAt(boughtTokens, arrivalPriceX96);
  if (worthWei === 0n) return undefined;
  const shortfall = shortfallOf(request, worthWei);
  return {
    arrivalPriceX96,
    worthWei,
    averagePriceX96: priceOf(tradedWei, boughtTokens),
    slippageBps: quotedTokens === 0n ? 0n : -differenceBps(boughtTokens, quotedTokens),
    priceImpactBps: differenceBps(worthWei + shortfall.impactWei, worthWei),
    shortfall,
    shortfallBps: differenceBps(worthWei + shortfall.totalWei, worthWei),
  };
}

/** Time-weighted average price of the pool between the first order and the last. @returns X96; undefined where no time passes */
export function timeWeightedPrice({ heldMsX96, firstAtMs, lastAtMs }: Purchases): bigint | undefined {
  const totalMs = BigInt(Math.round((lastAtMs ?? 0) - (firstAtMs ?? 0)));
  return totalMs > 0n ? heldMsX96 / totalMs : undefined;
}

/**
 * How many more tokens the job has than one swap of the same HYPE at the start would have given; below zero if fewer.
 * @param singleSwapTokens see `tokensOfSingleSwap` @returns basis points
 */
export function againstSingleSwap(tokens: bigint, singleSwapTokens: bigint): bigint {
  return differenceBps(tokens, singleSwapTokens);
}

/** How much less the job paid for a token than the pool's TWAP of the same time; below zero if more. Basis points. */
export function againstTwap(averagePriceX96: bigint, twapX96: bigint): bigint {
  return -differenceBps(averagePriceX96, twapX96);
}

function shortfallOf({ serviceFeeWei, gasWei, purchases }: QualityRequest, worthWei: bigint): Shortfall {
  const { tradedWei, poolFeeWei, impactWei } = purchases;
  return {
    totalWei: tradedWei + gasWei + serviceFeeWei - worthWei,
    impactWei,
    driftWei: tradedWei - worthWei - poolFeeWei - impactWei,
    poolFeeWei,
    gasWei,
    serviceFeeWei,
  };
}
