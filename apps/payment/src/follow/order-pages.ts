import type { ReceiptOrder } from '@maker/contracts';

/** Whether an order can no longer change. */
export function isSettled(order: ReceiptOrder): boolean {
  return order.status === 'final' || order.status === 'failed';
}

/** Number after which orders must be read again: all up to it are known and settled. @param known by ascending number */
export function resumeAfter(known: readonly ReceiptOrder[]): number {
  let settled = 0;
  for (const order of known) {
    if (order.number !== settled + 1 || !isSettled(order)) break;
    settled = order.number;
  }
  return settled;
}

/** Known orders with a page laid over them, by ascending number. */
export function mergeOrders(known: readonly ReceiptOrder[], page: readonly ReceiptOrder[]): readonly ReceiptOrder[] {
  const byNumber = new Map([...known, ...page].map((order) => [order.number, order]));
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}
