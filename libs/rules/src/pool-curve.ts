import { ascending } from './amounts.ts';
import { STANDARD_ORDER_WEI } from './order-size.ts';
import { PRICE_SCALE } from './price.ts';

/** A pool's quote for an amount in one swap from its current state. */
export interface PoolSample {
  /** wei */
  readonly inWei: bigint;
  /** Smallest units of the token, after the pool fee. */
  readonly tokens: bigint;
}

/**
 * A pool's state for a plan: quotes for rising amounts at one block. It uses quotes instead of reserves: every shape of pool has
 * quotes, and an order gets them. One or two dozen quotes describe a pool to a few millionths (see `readCurve`).
 */
export interface PoolState {
  /** Name of the exchange in the registry, such as 'hyperswap-v3'. */
  readonly exchange: string;
  /** Gas of a first order in this pool, which decides the size of orders. */
  readonly orderGas: bigint;
  /** Gas of later orders, by a wallet that has the token; without it `orderGas` counts. */
  readonly laterGas?: bigint;
  /** In any order; amounts by {@link sampleAmounts}. Amounts that the pool could not fill are missing. */
  readonly samples: readonly PoolSample[];
}

/** A pool's quotes, prepared for calculation: amounts, tokens and average price rise. */
export interface PoolCurve {
  readonly exchange: string;
  readonly orderGas: bigint;
  readonly laterGas: bigint;
  readonly samples: readonly [PoolSample, ...PoolSample[]];
}

/** Binary places of token amounts, for purchases of few units. */
const PLACES = 64n;

/**
 * Amounts for the quotes of a pool: doubling from one standard order up to the whole budget.
 * @param budgetWei most to spend, wei @returns wei, ascending; 22 amounts for a job of 1000 HYPE
 */
export function sampleAmounts(budgetWei: bigint): readonly bigint[] {
  const amounts: bigint[] = [];
  for (let amount = STANDARD_ORDER_WEI; amount < budgetWei; amount *= 2n) amounts.push(amount);
  return [...amounts, budgetWei > STANDARD_ORDER_WEI ? budgetWei : STANDARD_ORDER_WEI];
}

/**
 * Builds a pool's curve. Between two quotes, it assumes that the average price of all bought tokens rises linearly with the amount.
 * That is exact for `x × y = k`: Uniswap V2, Camelot's volatile pairs, and V3 between two initialised ticks. It drops a quote if a larger
 * amount has a better average price (few units, rounded down) or brings no more tokens (the pool is empty).
 * @returns undefined where no quote remains
 */
export function readCurve({ exchange, orderGas, laterGas = orderGas, samples }: PoolState): PoolCurve | undefined {
  const rising: PoolSample[] = [];
  for (const sample of samples
    .filter(({ inWei, tokens }) => inWei > 0n && tokens > 0n)
    .sort((one, other) => ascending(one.inWei, other.inWei))) {
    const before = rising.at(-1);
    if (before === undefined || (sample.inWei > before.inWei && sample.tokens > before.tokens)) rising.push(sample);
  }
  const kept: PoolSample[] = [];
  for (const sample of rising.reverse()) {
    const larger = kept[0];
    if (larger === undefined || sample.inWei * larger.tokens <= larger.inWei * sample.tokens) kept.unshift(sample);
  }
  const [first, ...rest] = kept;
  return first && { exchange, orderGas, laterGas, samples: [first, ...rest] };
}

/** Largest amount that the quotes cover, wei. */
export function curveEnd({ samples }: PoolCurve): bigint {
  return samples.at(-1)?.inWei ?? 0n;
}

/**
 * Tokens that the pool has given after `inWei` were spent in it, in one swap or in many: apart from fees, the sum is the same.
 * @param inWei from 0 to {@link curveEnd}, wei @returns smallest units, times 2^64
 */
export function tokensAt({ samples }: PoolCurve, inWei: bigint): bigint {
  const { lower, upper } = segmentAt(samples, inWei);
  if (lower === upper) return ((inWei * lower.tokens) << PLACES) / lower.inWei;
  const width = upper.inWei - lower.inWei;
  const rise = upper.inWei * lower.tokens - lower.inWei * upper.tokens;
  const average = lower.inWei * upper.tokens * width + rise * (inWei - lower.inWei);
  return ((inWei * lower.tokens * upper.tokens * width) << PLACES) / average;
}

/** Average price of an order after earlier spending, including the pool fee. All wei. @returns X96 */
export function orderPrice(curve: PoolCurve, spentWei: bigint, tradeWei: bigint): bigint | undefined {
  const tokens = tokensAt(curve, spentWei + tradeWei) - tokensAt(curve, spentWei);
  return tokens > 0n ? ((tradeWei * PRICE_SCALE) << PLACES) / tokens : undefined;
}

/** Price of the first unit including the pool fee. X96 */
export function priceNow({ samples }: PoolCurve): bigint {
  const { lower, upper } = segmentAt(samples, 0n);
  if (lower === upper) return (lower.inWei * PRICE_SCALE) / lower.tokens;
  const rise = (upper.tokens - lower.tokens) * lower.inWei * upper.inWei * PRICE_SCALE;
  return rise / (lower.tokens * upper.tokens * (upper.inWei - lower.inWei));
}

/** Whole units of a result of {@link tokensAt}, rounded down. */
export function wholeTokens(scaled: bigint): bigint {
  return scaled >> PLACES;
}

/** The two quotes around an amount; for an amount below the first quote, the first two. */
function segmentAt(samples: PoolCurve['samples'], inWei: bigint): { lower: PoolSample; upper: PoolSample } {
  const upperIndex = Math.max(
    1,
    samples.findIndex((sample) => sample.inWei >= inWei),
  );
  const lower = samples[upperIndex - 1] ?? samples[0];
  return { lower, upper: samples[upperIndex] ?? lower };
}
