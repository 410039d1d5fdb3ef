/**
 * Has wallets that nobody holds claimed now, instead of at the next round: for those who bring work, which know nothing of
 * who does it.
 */
export abstract class WalletClaims {
  abstract wake(): void;
}
