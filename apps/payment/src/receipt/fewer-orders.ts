import type { Receipt } from '@maker/contracts';

/**
 * Why an ended job placed fewer orders than estimated; undefined where it did not. Source: design § 4a.
 * @param isComplete it ran to its end: where it did not, the headline names the reason
 */
export function fewerOrdersText(receipt: Receipt, isComplete: boolean): string | undefined {
  const { ordersPlaced, standardOrders = ordersPlaced, estimate } = receipt;
  if (ordersPlaced >= estimate.lower) return undefined;
  const reasons = [];
  if (standardOrders > ordersPlaced) {
    reasons.push(
      `Network fees were high, so orders were merged: the ${count(ordersPlaced)} that were placed stand for ${count(standardOrders)} standard ones.`,
    );
  }
  if (isComplete && standardOrders < estimate.lower)
    reasons.push('What pauses or a shallow pool left of the budget is not spent.');
  return ['Fewer orders were placed than estimated.', ...reasons].join(' ');
}

function count(orders: number): string {
  return orders.toLocaleString('en-US');
}
