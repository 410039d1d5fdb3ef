import { larger } from '@maker/rules';
import type { ReceiptHead, SignedOrder, Sums } from './receipt-file.ts';

/** Sums of a receipt's orders, added page by page. */
export interface OrderSums {
  readonly tradedWei: bigint;
  readonly gasWei: bigint;
  readonly boughtTokens: bigint;
  readonly filled: number;
  readonly reverted: number;
  readonly voided: number;
}

/** The sums of no order. */
export const NO_ORDERS: OrderSums = {
  tradedWei: 0n,
  gasWei: 0n,
  boughtTokens: 0n,
  filled: 0,
  reverted: 0,
  voided: 0,
};

/** Adds an order to the sums. */
export function addOrder(sums: OrderSums, { result, tradeWei, gasWei, receivedTokens }: SignedOrder): OrderSums {
  return {
    ...sums,
    tradedWei: sums.tradedWei + (result === 'filled' ? BigInt(tradeWei) : 0n),
    gasWei: sums.gasWei + BigInt(gasWei),
    boughtTokens: sums.boughtTokens + BigInt(receivedTokens),
    [result]: sums[result] + 1,
  };
}

/** All sums of a receipt: deposits = fee + traded + gas + returned + refunded + left. Source: design § 5. */
export function sumsOf({ deposits, transfers }: Pick<ReceiptHead, 'deposits' | 'transfers'>, orders: OrderSums): Sums {
  const moved = (kind: ReceiptHead['transfers'][number]['kind']) =>
    total(transfers.filter((transfer) => transfer.kind === kind).map(({ amount }) => amount));
  const depositsWei = total(deposits.map(({ amountWei }) => amountWei));
  const gasWei = orders.gasWei + total(transfers.map((transfer) => transfer.gasWei));
  const spentWei = moved('fee') + orders.tradedWei + gasWei + moved('return') + moved('refund');
  return {
    depositsWei: `${depositsWei}`,
    feeWei: `${moved('fee')}`,
    tradedWei: `${orders.tradedWei}`,
    gasWei: `${gasWei}`,
    returnedWei: `${moved('return')}`,
    refundedWei: `${moved('refund')}`,
    leftWei: `${depositsWei - spentWei}`,
    boughtTokens: `${orders.boughtTokens}`,
    deliveredTokens: `${moved('delivery')}`,
    ordersFilled: orders.filled,
    ordersReverted: orders.reverted,
    ordersVoided: orders.voided,
  };
}

/** Tokens bought and not delivered, in the token's smallest unit; 0 if more was delivered than bought. */
export function undelivered({ boughtTokens, deliveredTokens }: Pick<Sums, 'boughtTokens' | 'deliveredTokens'>): bigint {
  return larger(0n, BigInt(boughtTokens) - BigInt(deliveredTokens));
}

/**
 * Tokens that were bought, were not delivered, and are not in the wallet, in the token's smallest unit.
 * @param tokens the wallet's balance; null if the token does not answer: then the result is 0
 */
export function missingTokens(sums: Pick<Sums, 'boughtTokens' | 'deliveredTokens'>, tokens: bigint | null): bigint {
  return tokens === null ? 0n : larger(0n, undelivered(sums) - tokens);
}

function total(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
