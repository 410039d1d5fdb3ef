/** How the chain's balance of a wallet relates to the ledger's. Wei. */
export type BalanceComparison =
  | { readonly kind: 'equal' }
  /** Someone sent money to the wallet: it is booked, and returned with the rest. */
  | { readonly kind: 'surplus'; readonly surplusWei: bigint }
  /** Money left that no transaction of ours moved: nothing more may be sent before an operator has looked. */
  | { readonly kind: 'missing'; readonly missingWei: bigint };

/**
 * Compares at a block where none of the wallet's transactions is open: deposit = fee + orders + gas + returned + held +
 * balance. Source: design § 5.
 */
export function compareBalances(expectedWei: bigint, balanceWei: bigint): BalanceComparison {
  if (balanceWei === expectedWei) return { kind: 'equal' };
  return balanceWei > expectedWei
    ? { kind: 'surplus', surplusWei: balanceWei - expectedWei }
    : { kind: 'missing', missingWei: expectedWei - balanceWei };
}
