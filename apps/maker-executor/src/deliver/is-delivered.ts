import { isTokenDust, larger, smaller } from '@maker/rules';
import type { LedgerTotals } from '../ledger/ledger-entry.ts';

/**
 * Whether nothing is left to deliver. A stranger may send dust to the wallet at any time, and a token that counts in shares keeps
 * a unit: neither is worth another delivery, which the payer's HYPE would pay for.
 * @param tokensLeft what the wallet shows, in the token's smallest unit
 */
export function isDelivered(
  { boughtWei, deliveredWei }: Pick<LedgerTotals, 'boughtWei' | 'deliveredWei'>,
  tokensLeft: bigint,
): boolean {
  if (deliveredWei === 0n) return boughtWei === 0n && tokensLeft === 0n;
  return isTokenDust(tokensLeft, boughtWei);
}

/**
 * Units that count as delivered and are in the wallet, beside all that may still be there: the token said in an event that they had
 * left. Dust is nobody's lie.
 * @param tokensLeft what the wallet shows
 */
export function toldInVain(
  { boughtWei, deliveredWei }: Pick<LedgerTotals, 'boughtWei' | 'deliveredWei'>,
  tokensLeft: bigint,
): bigint {
  if (isTokenDust(tokensLeft, boughtWei)) return 0n;
  return larger(0n, smaller(deliveredWei, deliveredWei + tokensLeft - boughtWei));
}
