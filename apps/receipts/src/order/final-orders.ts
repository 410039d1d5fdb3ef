import type { MadeOrder } from './order-pages.ts';

type FinalOrder = NonNullable<MadeOrder['final']>;

/** Final orders of some: orders become final in their order, so that the final ones are the first ones. */
export function finalOrders(orders: readonly MadeOrder[]): readonly FinalOrder[] {
  const firstOpen = orders.findIndex(({ final }) => final === undefined);
  const settled = firstOpen === -1 ? orders : orders.slice(0, firstOpen);
  return settled.flatMap(({ final }) => final ?? []);
}
