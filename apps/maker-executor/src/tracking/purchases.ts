import type { Execution, FinalTransaction } from '@maker/execution-records';
import {
  addPurchase,
  type MinedPurchase,
  type OrderExecution,
  type Purchases,
  priceOf,
  removePurchase,
} from '@maker/rules';

/** Adds orders to the figures. The price that the visitor saw includes the pool's fee; the first order shows this fee. */
export function withOrders(
  { purchases, arrivalPriceX96, plan }: Execution,
  orders: readonly FinalTransaction[],
): Pick<Execution, 'purchases' | 'arrivalPriceX96'> {
  const mined = orders.flatMap(toPurchase);
  const [first] = mined;
  const { seenPriceX96 } = plan;
  const arrivesNow = arrivalPriceX96 === null && seenPriceX96 !== null ? first?.order : undefined;
  return {
    purchases: mined.reduce((sums, { order, minedAtMs }) => addPurchase(sums, order, minedAtMs), purchases),
    arrivalPriceX96: arrivesNow ? withoutFee(seenPriceX96 ?? 0n, arrivesNow) : arrivalPriceX96,
  };
}

/** Removes the newest orders, whose blocks have left the chain, from the figures. @param standing the newest order that stands */
export function withoutOrders(
  purchases: Purchases,
  orders: readonly FinalTransaction[],
  standing: FinalTransaction | undefined,
): Purchases {
  const lost = orders.flatMap(toPurchase);
  const [before] = standing ? toPurchase(standing) : [];
  return lost.reduceRight((sums, newest, index) => removePurchase(sums, newest, lost[index - 1] ?? before), purchases);
}

function withoutFee(priceX96: bigint, { tradeWei, poolFeeWei }: OrderExecution): bigint {
  return tradeWei === 0n ? priceX96 : (priceX96 * (tradeWei - poolFeeWei)) / tradeWei;
}

/** Returns a filled order for the quality figures, none for others. Without data of the pool, the order counts as no price impact. */
function toPurchase({ transaction, inclusion }: FinalTransaction): readonly MinedPurchase[] {
  const { movedWei, receivedTokens, blockAt, trade } = inclusion;
  if (!isFilledOrder({ transaction, inclusion })) return [];
  const paidX96 = priceOf(movedWei, receivedTokens);
  const order: OrderExecution = {
    tradeWei: movedWei,
    tokens: receivedTokens,
    quotedTokens: transaction.terms?.quotedTokens ?? receivedTokens,
    ...(trade ?? { poolFeeWei: 0n, priceBeforeX96: paidX96, priceAfterX96: paidX96 }),
  };
  return [{ order, minedAtMs: blockAt.getTime() }];
}

/** Whether a transaction is an order that bought tokens. */
export function isFilledOrder({ transaction, inclusion }: FinalTransaction): boolean {
  return transaction.purpose === 'order' && inclusion.succeeded && inclusion.receivedTokens > 0n;
}
