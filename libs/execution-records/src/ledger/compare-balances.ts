/** Result of comparing a wallet's balance on the chain with the ledger, wei. */
export type BalanceComparison =
  | { readonly kind: 'equal' }
  /** The wallet received more money: the executor books it and returns it with the rest. */
  | { readonly kind: 'surplus'; readonly surplusWei: bigint }
  /** Money left the wallet without a transaction of ours: nothing more may be sent before an operator has checked it. */
  | { readonly kind: 'missing'; readonly missingWei: bigint };

/**
 * Compares ledger and chain at a block where the wallet has no open transaction: deposit = fee + orders + gas + returned +
 * held + balance. Source: design § 5.
 */
export function compareBalances(expectedWei: bigint, balanceWei: bigint): BalanceComparison {
  if (balanceWei === expectedWei) return { kind: 'equal' };
  return balanceWei > expectedWei
    ? { kind: 'surplus', surplusWei: balanceWei - expectedWei }
    : { kind: 'missing', missingWei: expectedWei - balanceWei };
}
