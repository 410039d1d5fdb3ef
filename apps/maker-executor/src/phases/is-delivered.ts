import type { LastTransfer, LedgerTotals } from '@maker/execution-records';
import { isTokenDust, larger, smaller } from '@maker/rules';

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
 * Units that count as delivered and are in the wallet: the token said in an event that they had left. That is so of all that is there
 * beside what may still be there, and of all that the last transfer counts for where the wallet shows no less than it was to
 * take: orders may have been lies themselves, so that more counts as bought than ever came. Dust is nobody's lie.
 * @param tokensLeft what the wallet shows
 */
export function toldInVain(
  { boughtWei, deliveredWei }: Pick<LedgerTotals, 'boughtWei' | 'deliveredWei'>,
  tokensLeft: bigint,
  lastTransfer: LastTransfer | undefined,
): bigint {
  if (isTokenDust(tokensLeft, boughtWei)) return 0n;
  const tookNothing = lastTransfer !== undefined && tokensLeft >= lastTransfer.sentTokens;
  const toldSinceWei = tookNothing ? deliveredWei - lastTransfer.deliveredTokens : 0n;
  const tooManyWei = deliveredWei + tokensLeft - boughtWei;
  return larger(0n, smaller(deliveredWei, larger(tooManyWei, toldSinceWei)));
}
