import { ascending } from './amounts.ts';
import { STANDARD_ORDER_WEI } from './order-size.ts';
import { PRICE_SCALE } from './price.ts';

/** What a pool would give for an amount in one swap from its state now. */
export interface PoolSample {
  /** wei */
  readonly inWei: bigint;
  /** Smallest units of the token, pool fee taken. */
  readonly tokens: bigint;
}

/**
 * A pool as the plan needs it: quotes for rising amounts at one block. Quotes and not reserves, because every shape of pool
 * has them and they are what an order gets; a dozen or two describe a pool to a few millionths (see `readCurve`).
 */
export interface PoolState {
  /** Name of the exchange in the registry, such as 'hyperswap-v3'. */
  readonly exchange: string;
  /** Gas of a first order in this pool, by which orders are sized. */
  readonly orderGas: bigint;
  /** Gas of those after it, whose wallet has the token; as much where it is not known. */
  readonly laterGas?: bigint;
  /** In any order; amounts as {@link sampleAmounts} gives them. What the pool could not fill is left out. */
  readonly samples: readonly PoolSample[];
}

/** A pool's quotes, made fit to be calculated with: amounts and tokens rise, and so does the average price. */
export interface PoolCurve {
  readonly exchange: string;
  readonly orderGas: bigint;
  readonly laterGas: bigint;
  readonly samples: readonly [PoolSample, ...PoolSample[]];
}

/** Tokens come with this many binary places, for amounts that buy few units. */
const PLACES = 64n;

/**
 * Amounts to quote a pool at: doubling from one standard order up to the whole budget.
 * @param budgetWei what is to be spent at most, wei @returns wei, ascending; 22 for a job of 1000 HYPE
 */
export function sampleAmounts(budgetWei: bigint): readonly bigint[] {
  const amounts: bigint[] = [];
  for (let amount = STANDARD_ORDER_WEI; amount < budgetWei; amount *= 2n) amounts.push(amount);
  return [...amounts, budgetWei > STANDARD_ORDER_WEI ? budgetWei : STANDARD_ORDER_WEI];
}

/**
 * Between two quotes the average price of all bought so far is taken to rise in a straight line with the amount. Of
 * `x × y = k` that is exact, so it is of Uniswap V2, of Camelot's volatile pairs, and of V3 between two initialised ticks.
 * A quote is dropped where a larger amount has the better average (few units, rounded down) or brings no more tokens
 * (the pool is empty).
 * @returns undefined where no quote is left
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

/** Most that can be bought for, as far as the quotes reach. Wei. */
export function curveEnd({ samples }: PoolCurve): bigint {
  return samples.at(-1)?.inWei ?? 0n;
}

/**
 * What the pool has given when `inWei` were spent in it, in one swap or in many: their fees aside, the sum is the same.
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

/** Average price of an order that follows what was spent before, pool fee in it. All wei. @returns X96 */
export function orderPrice(curve: PoolCurve, spentWei: bigint, tradeWei: bigint): bigint | undefined {
  const tokens = tokensAt(curve, spentWei + tradeWei) - tokensAt(curve, spentWei);
  return tokens > 0n ? ((tradeWei * PRICE_SCALE) << PLACES) / tokens : undefined;
}

/** Price of the next unit before anything is bought, pool fee in it. X96 */
export function priceNow({ samples }: PoolCurve): bigint {
  const { lower, upper } = segmentAt(samples, 0n);
  if (lower === upper) return (lower.inWei * PRICE_SCALE) / lower.tokens;
  const rise = (upper.tokens - lower.tokens) * lower.inWei * upper.inWei * PRICE_SCALE;
  return rise / (lower.tokens * upper.tokens * (upper.inWei - lower.inWei));
}

/** Whole units of what {@link tokensAt} gives, cut. */
export function wholeTokens(scaled: bigint): bigint {
  return scaled >> PLACES;
}

/** The two quotes between which an amount lies; before the first, the line through the first two is followed back. */
function segmentAt(samples: PoolCurve['samples'], inWei: bigint): { lower: PoolSample; upper: PoolSample } {
  const upperIndex = Math.max(
    1,
    samples.findIndex((sample) => sample.inWei >= inWei),
  );
  const lower = samples[upperIndex - 1] ?? samples[0];
  return { lower, upper: samples[upperIndex] ?? lower };
}
