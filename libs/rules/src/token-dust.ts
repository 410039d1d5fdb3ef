/** Dust is at most a thousandth. */
const DUST_PARTS = 1000n;

/**
 * Whether the rest of a purchase is a token's rounding or a stranger's dust: it needs neither another transfer nor an explanation.
 * Source: docs/receipt.md.
 * @param left rest in the wallet @param bought total purchase; both in the token's smallest unit
 */
export function isTokenDust(left: bigint, bought: bigint): boolean {
  return left * DUST_PARTS <= bought;
}
