import type { Execution, FinalTransaction } from '@maker/execution-records';
import {
  addPurchase,
  type MinedPurchase,
  type OrderExecution,
  type Purchases,
  priceOf,
  removePurchase,
} from '@maker/rules';

/** The figures with more orders. The price that the visitor saw has the pool's fee in it; what the fee is, the first order shows. */
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

/** The figures without the newest orders, whose blocks have left the chain. @param standing the newest one that stands */
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

/** A filled order as its quality is measured; one whose pool does not tell is taken to have moved nothing. None of any other. */
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

/** Whether it is an order that bought something. */
export function isFilledOrder({ transaction, inclusion }: FinalTransaction): boolean {
  return transaction.purpose === 'order' && inclusion.succeeded && inclusion.receivedTokens > 0n;
}
