import type { Receipt } from '@maker/contracts';

/** Why an ended job placed fewer orders than estimated; undefined where it did not. Source: design § 4a. @param isStopped by its payer */
export function fewerOrdersText(receipt: Receipt, isStopped = false): string | undefined {
  const { ordersPlaced, standardOrders = ordersPlaced, estimate } = receipt;
  if (ordersPlaced >= estimate.lower) return undefined;
  const reasons = [];
  if (standardOrders > ordersPlaced) {
    reasons.push(
      `Network fees were high, so orders were merged: the ${count(ordersPlaced)} that were placed stand for ${count(standardOrders)} standard ones.`,
    );
  }
  if (standardOrders < estimate.lower) {
    reasons.push(
      isStopped
        ? 'The payer stopped the job: what was left of the budget is not spent.'
        : 'What pauses or a shallow pool left of the budget is not spent.',
    );
  }
  return ['Fewer orders were placed than estimated.', ...reasons].join(' ');
}

function count(orders: number): string {
  return orders.toLocaleString('en-US');
}
