import type { Receipt } from '@maker/contracts';
import { GAS_RESERVE_WEI, splitDeposit } from '@maker/rules';

/** What arrived for a job. All wei. */
export interface Deposit {
  /** Fee, gas reserve and order budget are parts of it. */
  readonly paidWei: bigint;
  /** Arrived besides, such as a second payment, and goes back. */
  readonly otherWei: bigint;
}

/** Tells the payment of which the fee was taken from what came besides: the receipt knows their sum. Source: design § 4 'Budget'. */
export function depositOf(receipt: Pick<Receipt, 'depositWei' | 'orderBudgetWei'>): Deposit {
  const arrivedWei = BigInt(receipt.depositWei);
  const afterFeeWei = BigInt(receipt.orderBudgetWei) + GAS_RESERVE_WEI;
  // The fee is rounded down, so the quotient is the payment or one wei less.
  const nearWei = (afterFeeWei * 10n) / 7n;
  const paidWei = [nearWei, nearWei + 1n].find((wei) => {
    const { orderBudgetWei, reserveWei } = splitDeposit(wei);
    return orderBudgetWei + reserveWei === afterFeeWei;
  });
  if (paidWei === undefined || paidWei > arrivedWei) return { paidWei: arrivedWei, otherWei: 0n };
  return { paidWei, otherWei: arrivedWei - paidWei };
}
