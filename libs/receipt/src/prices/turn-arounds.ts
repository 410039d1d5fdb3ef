import { type PoolPoint, proofOf } from '@maker/chain/venues';
import type { Hash } from 'viem';
import { compareMoments, type Moment, type PlacedEvent } from './moments.ts';
import type { PoolOfJob } from './read-pools-of-job.ts';

/** Two trades around an order in its block and pool: a purchase before it and a sale after it. */
export interface TurnAround {
  readonly blockNumber: number;
  readonly purchase: Hash;
  readonly sale: Hash;
  /** What the order would have received more without the purchase, in the token's smallest unit; at least 0. */
  readonly lostTokens: bigint;
}

interface Trade {
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  readonly isPurchase: boolean;
  /** In the token's smallest unit. */
  readonly tokens: bigint;
}

/** A sale belongs to a purchase if their amounts of tokens differ by at most this share, percent. */
const SIMILAR_PERCENT = 10n;

/**
 * Purchases before an order and sales of about as many tokens after it, in its block and pool. Their accounts are not compared here:
 * logs do not show senders.
 * @param before the pool right before the order
 */
export function turnAroundsIn(
  pool: PoolOfJob,
  before: PoolPoint,
  order: Moment & { readonly tradeWei: bigint; readonly transactionHash: Hash },
): readonly TurnAround[] {
  const block = pool.events.filter(({ blockNumber }) => blockNumber === order.blockNumber);
  const trades = tradesOf(pool, block).filter(({ transactionHash }) => transactionHash !== order.transactionHash);
  const earlier = trades.filter((one) => one.isPurchase && one.transactionIndex < order.transactionIndex);
  const later = trades.filter((one) => !one.isPurchase && one.transactionIndex > order.transactionIndex);
  return earlier.flatMap((purchase) => {
    const sale = later.find(({ tokens }) => isSimilar(tokens, purchase.tokens));
    if (!sale) return [];
    const moment = { blockNumber: order.blockNumber, transactionIndex: purchase.transactionIndex };
    const alone = pointAt(pool, moment).output(order.tradeWei, pool.isWrappedFirst);
    const present = before.output(order.tradeWei, pool.isWrappedFirst);
    const lost = alone && present ? alone.least - present.least : 0n;
    return [
      {
        blockNumber: order.blockNumber,
        purchase: purchase.transactionHash,
        sale: sale.transactionHash,
        lostTokens: lost > 0n ? lost : 0n,
      },
    ];
  });
}

function pointAt({ start, events }: PoolOfJob, moment: Moment): PoolPoint {
  return events
    .filter((event) => compareMoments(event, moment) < 0)
    .reduce((point, event) => point.after(event), start);
}

function tradesOf({ venue, isWrappedFirst, address }: PoolOfJob, events: readonly PlacedEvent[]): readonly Trade[] {
  return events.flatMap((event) =>
    proofOf(venue)
      .tradesIn([event])
      .filter(({ pool }) => pool.toLowerCase() === address)
      .map((trade) => {
        const bought = isWrappedFirst ? trade.amount1Out : trade.amount0Out;
        const sold = isWrappedFirst ? trade.amount1In : trade.amount0In;
        const isPurchase = bought > sold;
        return {
          transactionHash: event.transactionHash,
          transactionIndex: event.transactionIndex,
          isPurchase,
          tokens: isPurchase ? bought - sold : sold - bought,
        };
      }),
  );
}

function isSimilar(one: bigint, other: bigint): boolean {
  const difference = one > other ? one - other : other - one;
  return difference * 100n <= (one > other ? one : other) * SIMILAR_PERCENT;
}
