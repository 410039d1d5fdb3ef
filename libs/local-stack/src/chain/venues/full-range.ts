/** V3's widest usable ticks for each fee tier (in hundredths of a basis point), by the tier's tick spacing. */
const TICK_SPACING = { 500: 10, 3000: 60, 10000: 200 } as const;
const MAX_TICK = 887_272;

/** A fee tier that Uniswap V3's factory knows from the start. */
export type FeeTier = keyof typeof TICK_SPACING;

/** The ticks of a position over all prices. */
export function fullRange(fee: FeeTier): { tickLower: number; tickUpper: number } {
  const tickUpper = Math.floor(MAX_TICK / TICK_SPACING[fee]) * TICK_SPACING[fee];
  return { tickLower: -tickUpper, tickUpper };
}

function integerSquareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** V3's price of token0 in token1 when a pool opens with these amounts: √(amount1 / amount0) · 2⁹⁶. */
export function openingPrice(amount0: bigint, amount1: bigint): bigint {
  return integerSquareRoot((amount1 << 192n) / amount0);
}
