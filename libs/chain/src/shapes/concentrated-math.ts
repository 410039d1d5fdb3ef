/** Exact integer arithmetic of pools with concentrated liquidity, by their published formulae. Square roots of prices are Q64.96 numbers. */

const Q32 = 2n ** 32n;
const Q96 = 2n ** 96n;
const Q128 = 2n ** 128n;
const LARGEST_WORD = 2n ** 256n - 1n;
const MILLION = 1_000_000n;

/** Ticks of the lowest and the highest price. */
export const LAST_TICK = 887_272;

/** √(1.0001^-(2^bit)) for each bit of a tick, as Q128 numbers that are rounded to the nearest. */
const ROOTS: readonly bigint[] = rootsOf(20);

function rootsOf(count: number): readonly bigint[] {
  const scale = 512n;
  const one = 1n << scale;
  const half = 1n << (scale - 129n);
  let root = integerSquareRoot((one * one * 10_000n) / 10_001n);
  return Array.from({ length: count }, () => {
    const rounded = (root + half) >> (scale - 128n);
    root = (root * root) >> scale;
    return rounded;
  });
}

function integerSquareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Square root of the price at a tick, Q64.96, rounded up. */
export function sqrtPriceAtTick(tick: number): bigint {
  const size = Math.abs(tick);
  let ratio = Q128;
  for (const [bit, root] of ROOTS.entries()) {
    if (Math.floor(size / 2 ** bit) % 2 === 1) ratio = (ratio * root) / Q128;
  }
  if (tick > 0) ratio = LARGEST_WORD / ratio;
  return dividedUp(ratio, Q32);
}

/** A price with the liquidity that is active there. */
export interface ActiveRange {
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
}

/** The end of a step of a swap: an initialised tick, or a tick at which the pool only splits its arithmetic. */
export interface StepEnd {
  readonly tick: number;
  /** Liquidity that a rising price adds there; undefined at the edge of the known ticks. */
  readonly liquidityNet: bigint | undefined;
}

/** A swap of an exact input. */
export interface ExactInput {
  /** At most 2^95, in the smallest unit. */
  readonly amountIn: bigint;
  /** Whether token0 is paid in: the price falls. */
  readonly isFirstIn: boolean;
  /** Fee, millionths. */
  readonly feePpm: bigint;
}

/**
 * The output of a swap, to the smallest unit.
 * @param stepEnd next end of a step from a tick in the direction of the swap
 * @returns undefined if the swap leaves the known ticks
 */
export function exactOutput(
  start: ActiveRange,
  { amountIn, isFirstIn, feePpm }: ExactInput,
  stepEnd: (tick: number) => StepEnd,
): bigint | undefined {
  let { sqrtPriceX96: price, tick, liquidity } = start;
  let left = amountIn;
  let out = 0n;
  while (left > 0n) {
    const end = stepEnd(tick);
    const target = sqrtPriceAtTick(end.tick);
    const spendable = (left * (MILLION - feePpm)) / MILLION;
    const needed = isFirstIn ? amount0(target, price, liquidity, true) : amount1(price, target, liquidity, true);
    const next = spendable >= needed ? target : priceAfter(price, liquidity, spendable, isFirstIn);
    out += isFirstIn ? amount1(next, price, liquidity, false) : amount0(price, next, liquidity, false);
    if (next !== target) return out;
    if (end.liquidityNet === undefined) return undefined;
    left -= needed + dividedUp(needed * feePpm, MILLION - feePpm);
    price = next;
    liquidity += isFirstIn ? -end.liquidityNet : end.liquidityNet;
    tick = isFirstIn ? end.tick - 1 : end.tick;
  }
  return out;
}

/** The price after an input, rounded so that the pool never gives too much. */
function priceAfter(price: bigint, liquidity: bigint, input: bigint, isFirstIn: boolean): bigint {
  if (!isFirstIn) return price + (input * Q96) / liquidity;
  return dividedUp(liquidity * Q96 * price, liquidity * Q96 + input * price);
}

/** Amount of token0 between two prices. */
function amount0(low: bigint, high: bigint, liquidity: bigint, isUp: boolean): bigint {
  const product = liquidity * Q96 * (high - low);
  return isUp ? dividedUp(dividedUp(product, high), low) : product / high / low;
}

/** Amount of token1 between two prices. */
function amount1(low: bigint, high: bigint, liquidity: bigint, isUp: boolean): bigint {
  const product = liquidity * (high - low);
  return isUp ? dividedUp(product, Q96) : product / Q96;
}

function dividedUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
