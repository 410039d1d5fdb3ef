import { isTokenDust, larger, smaller } from '@maker/rules';
import type { LedgerTotals } from '../ledger/ledger-entry.ts';
import type { LastTransfer } from './attempts.ts';

/**
 * Whether nothing is left to deliver. A stranger may send dust to the wallet at any time, and a token that counts in shares may
 * leave a unit. Neither is worth another delivery, which the payer's HYPE would pay for.
 * @param tokensLeft balance of the wallet, in the token's smallest unit
 */
export function isDelivered(
  { boughtWei, deliveredWei }: Pick<LedgerTotals, 'boughtWei' | 'deliveredWei'>,
  tokensLeft: bigint,
): boolean {
  if (deliveredWei === 0n) return boughtWei === 0n && tokensLeft === 0n;
  return isTokenDust(tokensLeft, boughtWei);
}

/**
 * Returns the units that count as delivered by the token's events, but are still in the wallet: the delivered and remaining units
 * beyond the bought ones. If the balance is not below the amount of the last transfer, that transfer moved nothing, and all units
 * booked for it count. The token may also have lied about orders, so that more units count as bought than came. Dust is ignored.
 * @param tokensLeft balance of the wallet
 */
export function falselyDelivered(
  { boughtWei, deliveredWei }: Pick<LedgerTotals, 'boughtWei' | 'deliveredWei'>,
  tokensLeft: bigint,
  lastTransfer: LastTransfer | undefined,
): bigint {
  if (isTokenDust(tokensLeft, boughtWei)) return 0n;
  const tookNothing = lastTransfer !== undefined && tokensLeft >= lastTransfer.sentTokens;
  const bookedSinceWei = tookNothing ? deliveredWei - lastTransfer.deliveredTokens : 0n;
  const tooManyWei = deliveredWei + tokensLeft - boughtWei;
  return larger(0n, smaller(deliveredWei, larger(tooManyWei, bookedSinceWei)));
}
