import type { Address, Hex } from 'viem';
import type { EventLog } from '../decode.ts';
import type { Query } from '../query.ts';
import type { ExchangeEntry } from './exchange-entry.ts';

/** What the call of a router asks for. */
export interface Purchase {
  /** Paid with: wrapped HYPE where the call is an order's. */
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  /** Less than this reverts, in the smallest unit of `tokenOut`. */
  readonly minimumTokens: bigint;
  /** Spent, wei; null where the call does not say and the transaction's value counts. */
  readonly amountInWei: bigint | null;
  /** Seconds since 1970. */
  readonly deadlineSeconds: bigint;
  /** Of the pool, in hundredths of a basis point; absent where a pair of tokens has one pool. */
  readonly feeTier?: number;
  /** What the call does besides, in words: absent where it only buys. */
  readonly aside?: string;
}

/** A trade as a pool tells of it: token0 is the lower of its two addresses. Of a token that rebases both may be more than 0. */
export interface PoolTradeEvent {
  readonly pool: Address;
  readonly amount0In: bigint;
  readonly amount1In: bigint;
  readonly amount0Out: bigint;
  readonly amount1Out: bigint;
}

/** How a purchase through one shape of exchange is proven from a transaction, by one who trusts nobody but the chain. */
export interface PurchaseProof {
  /** Reads a router's call. @returns undefined for a call that is no purchase of this shape */
  readPurchase(input: Hex): Purchase | undefined;
  /** The pool that the exchange's factory names for a purchase; undefined where it names none. */
  poolOf(exchange: ExchangeEntry, purchase: Purchase): Query<Address | undefined>;
  /** Trades that contracts tell of in the words of this shape. Any contract can: hold `pool` to `poolOf`. */
  tradesIn(logs: readonly EventLog[]): readonly PoolTradeEvent[];
}
