import type { Address, Hex } from 'viem';
import type { z } from 'zod';
import type { EventLog } from '../decode.ts';
import type { Query } from '../query.ts';
import type { ExchangeAdapter } from './exchange-adapter.ts';
import type { ExchangeChecks, ExchangeEntry } from './exchange-entry.ts';

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

/** What a purchase did to its pool. Prices are wei for the token's smallest unit, times 2^96, without the pool's fee. */
export interface PoolTrade {
  readonly priceBeforeX96: bigint;
  readonly priceAfterX96: bigint;
  /** What of the trade was the pool's fee, wei. */
  readonly poolFeeWei: bigint;
}

/** What is known of the one trade of a transaction. */
export interface TradeEvidence {
  /** The event by which the pool tells of it. */
  readonly swap: EventLog;
  /** All events of the transaction. */
  readonly logs: readonly EventLog[];
  /** Of a pool with a fixed fee, in hundredths of a basis point. */
  readonly feeTier?: number | undefined;
}

/** What went into a pool and what came out of it. */
export interface TradeAmounts {
  readonly inWei: bigint;
  readonly outTokens: bigint;
}

/** All that the product knows of one shape of exchange. One folder holds it, and one line of `registry.ts` names it (docs/adr/0076). */
export interface ExchangeShape<Kind extends string, Entry extends ExchangeEntry, Verified extends Entry = Entry> {
  readonly kind: Kind;
  /** Of its entries in the registry; `kind` is a literal there. */
  readonly schema: z.ZodType<Entry>;
  readonly checks: ExchangeChecks<Entry, Verified>;
  adapterOf(exchange: Verified): ExchangeAdapter;
  readonly proof: PurchaseProof;
  /** What a trade did to the price of its pool; undefined for a trade in words of another shape. */
  tradeOf(evidence: TradeEvidence): PoolTrade | undefined;
  /** As which visitors see its pools: pairs as V2, pools with a price range as V3. */
  readonly shownAs: 'V2' | 'V3';
  /** A verified exchange in words for operators, such as `SwapRouter, Quoter V2`. */
  describe(exchange: Verified): string;
}
