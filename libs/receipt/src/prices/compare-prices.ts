import { historyOf, type PoolPoint } from '@maker/chain/venues';
import type { Address, Hash } from 'viem';
import { compareMoments, type Moment, momentsOf } from './moments.ts';
import type { PoolOfJob } from './read-pools-of-job.ts';
import { type TurnAround, turnAroundsIn } from './turn-arounds.ts';

/** A filled order, as the chain shows it. */
export interface PlacedOrder extends Moment {
  readonly number: number;
  readonly transactionHash: Hash;
  /** Pool that its exchange's factory names, in lower case. */
  readonly pool: Address;
  readonly tradeWei: bigint;
  /** Effective gas price, wei per gas. */
  readonly gasPriceWei: bigint;
  readonly receivedTokens: bigint;
}

/** An order beside the best pool for it. */
export interface ComparedOrder {
  readonly number: number;
  readonly receivedTokens: bigint;
  /**
   * Tokens of the best pool for the same total cost, gas included: at the moment, among those at which the order may have been quoted,
   * that favours the service.
   */
  readonly bestTokens: bigint;
  /** Exchange of that pool. */
  readonly bestVenue: string;
  /** Trades before and after it in its block, of any accounts. */
  readonly turnArounds: readonly TurnAround[];
}

/** The check of all orders against the pools of the pair. */
export interface ComparedPrices {
  readonly orders: readonly ComparedOrder[];
  /** Numbers of orders for which a pool's state is not known. */
  readonly incomplete: readonly number[];
}

/** HYPE side that a pool must have to count, wei. */
export interface PriceRules {
  readonly minimumLiquidityWei: bigint;
}

/**
 * Compares each order with what every pool of the pair would have given. Pools are ranked as the executor ranks them: by tokens for the
 * whole cost, with the usual gas of an order (design § 4a).
 * @param orders filled ones, in the order of the chain
 */
export function comparePrices(
  pools: readonly PoolOfJob[],
  orders: readonly PlacedOrder[],
  rules: PriceRules,
): ComparedPrices {
  const moments = orders.flatMap(momentsOf).sort(compareMoments);
  const states = pools.map((pool) => ({ pool, points: pointsAt(pool, moments) }));
  const incomplete = new Set<number>();
  const judged = orders.map((order, index) => {
    const own = states.find(({ pool }) => pool.address === order.pool);
    const ownCost = own && costOf(order, own.pool, index === 0);
    const offers = momentsOf(order).flatMap((moment, at) => {
      const best = bestOffer(
        states.flatMap(({ pool, points }) => {
          const point = points.get(keyOf(moment));
          const reserve = point?.reserve(pool.isWrappedFirst);
          if (reserve !== undefined && reserve < rules.minimumLiquidityWei) return [];
          // Taxes of a token show only in what the order received.
          const isOwnNow = at === 0 && pool === own?.pool;
          const tokens = isOwnNow ? order.receivedTokens : point?.output(order.tradeWei, pool.isWrappedFirst)?.least;
          if (tokens === undefined) {
            if (at === 0) incomplete.add(order.number);
            return [];
          }
          const cost = costOf(order, pool, index === 0);
          return [{ tokens: ownCost === undefined ? tokens : (tokens * ownCost) / cost, venue: pool.venue.id }];
        }),
      );
      return best ? [best] : [];
    });
    const fair = offers.reduce((least, offer) => (offer.tokens < least.tokens ? offer : least), offers[0] ?? NONE);
    const before = own?.points.get(keyOf(order));
    return {
      number: order.number,
      receivedTokens: order.receivedTokens,
      bestTokens: fair.tokens,
      bestVenue: fair.venue,
      turnArounds: own && before ? turnAroundsIn(own.pool, before, order) : [],
    };
  });
  return { orders: judged, incomplete: [...incomplete] };
}

/** A pool right before each moment. @param moments in ascending order */
function pointsAt({ start, events }: PoolOfJob, moments: readonly Moment[]): ReadonlyMap<string, PoolPoint> {
  const points = new Map<string, PoolPoint>();
  let point = start;
  let passed = 0;
  for (const moment of moments) {
    for (let next = events[passed]; next && compareMoments(next, moment) < 0; next = events[passed]) {
      point = point.after(next);
      passed += 1;
    }
    points.set(keyOf(moment), point);
  }
  return points;
}

function keyOf({ blockNumber, transactionIndex }: Moment): string {
  return `${blockNumber} ${transactionIndex}`;
}

interface Offer {
  readonly tokens: bigint;
  readonly venue: string;
}

const NONE: Offer = { tokens: 0n, venue: '' };

function bestOffer(offers: readonly Offer[]): Offer | undefined {
  const [first] = offers;
  return first && offers.reduce((best, offer) => (offer.tokens > best.tokens ? offer : best), first);
}

/** Whole cost of an order in a pool, wei. */
function costOf({ tradeWei, gasPriceWei }: PlacedOrder, { venue }: PoolOfJob, isFirst: boolean): bigint {
  const { first, later } = historyOf(venue).orderGas;
  return tradeWei + (isFirst ? first : later) * gasPriceWei;
}
