import type { ReceiptOrder } from '@maker/contracts';
import { isPending } from './shown-status.ts';

const MINUTE_MS = 60_000;

/** The orders of one minute. */
export interface OrderMinute {
  /** Start of the minute, ISO 8601. */
  readonly at: string;
  /** The newest first. */
  readonly orders: readonly ReceiptOrder[];
  /** What the mined orders spent, wei, and bought, in the token's smallest unit; both undefined while all are pending. */
  readonly spentWei?: bigint;
  readonly bought?: bigint;
}

/** Groups orders by the minute of their block, the newest first. @param orders the oldest first */
export function orderMinutes(orders: readonly ReceiptOrder[]): readonly OrderMinute[] {
  // Safari 17.2 has no `Map.groupBy`.
  const minutes = new Map<number, ReceiptOrder[]>();
  for (const order of orders.toReversed()) {
    const minute = Math.floor(Date.parse(timeOf(order)) / MINUTE_MS);
    const some = minutes.get(minute);
    if (some) some.push(order);
    else minutes.set(minute, [order]);
  }
  return Array.from(minutes, ([minute, some]) => {
    const mined = some.filter(({ status }) => !isPending(status));
    return {
      at: new Date(minute * MINUTE_MS).toISOString(),
      orders: some,
      ...(mined.length > 0 && {
        spentWei: sum(mined.map(({ tradeWei, status }) => (status === 'failed' ? '0' : tradeWei))),
        bought: sum(mined.map(({ tokensBought }) => tokensBought)),
      }),
    };
  });
}

/** When the order's block came; before it, when the order was placed. ISO 8601. */
export function timeOf({ minedAt, placedAt }: ReceiptOrder): string {
  return minedAt ?? placedAt;
}

function sum(amounts: readonly string[]): bigint {
  return amounts.reduce((total, amount) => total + BigInt(amount), 0n);
}
