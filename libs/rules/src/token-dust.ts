/** A thousandth. */
const DUST_PARTS = 1000n;

/**
 * Whether what is left of a purchase is a token's rounding or a stranger's dust: no reason to send again, and none to explain.
 * Source: docs/receipt.md.
 * @param left in the wallet, and @param bought in all, in the token's smallest unit
 */
export function isTokenDust(left: bigint, bought: bigint): boolean {
  return left * DUST_PARTS <= bought;
}
