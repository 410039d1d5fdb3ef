import { costAt, differenceBps, priceOf } from './price.ts';

/** An order that was mined, as its quality is measured. Formulas: docs/quality.md. */
export interface OrderExecution {
  /** Spent in the pool, wei. */
  readonly tradeWei: bigint;
  /** Smallest units that arrived, and that were quoted. */
  readonly tokens: bigint;
  readonly quotedTokens: bigint;
  /** What of the trade was the pool's fee, wei. */
  readonly poolFeeWei: bigint;
  /** The pool's price just before and just after the order, without its fee. X96 */
  readonly priceBeforeX96: bigint;
  readonly priceAfterX96: bigint;
}

/** Orders of a job added up, in the order in which they were mined: all that quality is measured from, of one size for any number of them. */
export interface Purchases {
  readonly tradedWei: bigint;
  readonly poolFeeWei: bigint;
  readonly boughtTokens: bigint;
  readonly quotedTokens: bigint;
  readonly impactWei: bigint;
  /** What the orders moved the pool's price by so far, each for itself. Signed. */
  readonly movedX96: bigint;
  /** The pool's price times the milliseconds that it stood, between the first order and the last. */
  readonly heldMsX96: bigint;
  /** Of the first and the last order; null before the first. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** Left behind by the last order. */
  readonly lastPriceX96: bigint;
}

/** Of no order. */
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

/** The sums with one more order. @param minedAtMs time of its block, ms */
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
    // When the price changed from what the last order left to what this one found is not known: half-way is taken.
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
 * The sums without their newest order, as they were before it was added: its block has left the chain.
 * @param previous the order before it; undefined where it was the only one
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
  /** Of every transaction of the job: orders, also reverted ones, fee, delivery, return. Wei. */
  readonly gasWei: bigint;
  readonly purchases: Purchases;
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
  /** Of the tokens at arrival, wei: what differences are parts of. */
  readonly worthWei: bigint;
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

/** How well a job bought, and against what else it might have done. Formulas: docs/quality.md. */
export interface JobQuality extends Quality {
  /** Price of the pool over the same time; absent where all was bought at one moment. X96 */
  readonly twapX96?: bigint;
  /** Basis points; absent where it cannot be compared. Above zero: the job did better. */
  readonly againstSingleSwapBps?: bigint;
  readonly againstTwapBps?: bigint;
}

/** Measures a job, while it trades or after. @returns undefined before anything was bought that is worth a wei */
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
