/** A thousandth. */
const DUST_PARTS = 1000n;

/** A token's rounding or a stranger's dust: no reason to send again, and none to explain. In smallest units. Source: docs/receipt.md. */
export function isTokenDust(left: bigint, bought: bigint): boolean {
  return left * DUST_PARTS <= bought;
}
