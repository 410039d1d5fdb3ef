/**
 * Prices are wei for one smallest unit of the token, times 2^96: integers that keep every digit even if one wei buys many
 * units. The names of such values end in `X96`.
 */
export const PRICE_SCALE = 2n ** 96n;

const BASIS_POINTS = 10_000n;

/** Price of a purchase. @param wei paid @param tokens smallest units, more than 0 @returns X96, rounded down */
export function priceOf(wei: bigint, tokens: bigint): bigint {
  return (wei * PRICE_SCALE) / tokens;
}

/** Cost of tokens at a price. @param tokens smallest units @returns wei, rounded down */
export function costAt(tokens: bigint, priceX96: bigint): bigint {
  return (tokens * priceX96) / PRICE_SCALE;
}

/** The price `bps` basis points above another one. X96, rounded down */
export function priceAbove(priceX96: bigint, bps: bigint): bigint {
  return (priceX96 * (BASIS_POINTS + bps)) / BASIS_POINTS;
}

/**
 * Difference of a value from a reference, in basis points; negative below it. Rounded towards zero.
 * @param reference more than 0
 */
export function differenceBps(value: bigint, reference: bigint): bigint {
  return ((value - reference) * BASIS_POINTS) / reference;
}

/** Rise of a price above a reference, in basis points rounded up; 0 below it. @param referenceX96 more than 0 */
export function riseBps(priceX96: bigint, referenceX96: bigint): bigint {
  if (priceX96 <= referenceX96) return 0n;
  return ((priceX96 - referenceX96) * BASIS_POINTS + referenceX96 - 1n) / referenceX96;
}
