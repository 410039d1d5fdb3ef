import type { Address, Hex } from 'viem';
import type { z } from 'zod';
import type { EventLog } from '../decode.ts';
import type { Query } from '../query.ts';
import type { ExchangeAdapter } from './exchange-adapter.ts';
import type { ExchangeChecks, ExchangeEntry } from './exchange-entry.ts';
import type { PoolHistory } from './pool-history.ts';

/** The purchase in a router's call. */
export interface Purchase {
  /** The paid token: wrapped HYPE for an order. */
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  /** The call reverts if it brings less, in the smallest unit of `tokenOut`. */
  readonly minimumTokens: bigint;
  /** Spent amount, wei; null where the call does not contain it and the transaction's value counts. */
  readonly amountInWei: bigint | null;
  /** Seconds since 1970. */
  readonly deadlineSeconds: bigint;
  /** Fee of the pool, in hundredths of a basis point; absent where a pair of tokens has one pool. */
  readonly feeTier?: number;
  /** Side effect of the call, in words; absent where it only buys. */
  readonly aside?: string;
}

/** A trade by a pool's event: token0 has the lower of the two addresses. For a rebasing token, both amounts of it may be above 0. */
export interface PoolTradeEvent {
  readonly pool: Address;
  readonly amount0In: bigint;
  readonly amount1In: bigint;
  readonly amount0Out: bigint;
  readonly amount1Out: bigint;
}

/** Proves a purchase through one shape of exchange from a transaction, for a verifier that trusts only the chain. */
export interface PurchaseProof {
  /** Reads a router's call. @returns undefined for a call that is no purchase of this shape */
  readPurchase(input: Hex): Purchase | undefined;
  /** The pool that the exchange's factory names for a purchase; undefined where it names none. */
  poolOf(exchange: ExchangeEntry, purchase: Purchase): Query<Address | undefined>;
  /** Trades in events of this shape. Any contract can emit them: compare `pool` with `poolOf`. */
  tradesIn(logs: readonly EventLog[]): readonly PoolTradeEvent[];
}

/** Effect of a purchase on its pool. Prices are wei for the token's smallest unit, times 2^96, without the pool's fee. */
export interface PoolTrade {
  readonly priceBeforeX96: bigint;
  readonly priceAfterX96: bigint;
  /** The pool's fee of the trade, wei. */
  readonly poolFeeWei: bigint;
}

/** The evidence of a transaction's only trade. */
export interface TradeEvidence {
  /** The pool's event of the trade. */
  readonly swap: EventLog;
  /** All events of the transaction. */
  readonly logs: readonly EventLog[];
  /** Fee of a pool with a fixed fee, in hundredths of a basis point. */
  readonly feeTier?: number | undefined;
}

/** Amounts into and out of a pool. */
export interface TradeAmounts {
  readonly inWei: bigint;
  readonly outTokens: bigint;
}

/** Everything about one shape of exchange. One folder contains it, and one line of `registry.ts` names it (docs/adr/0076). */
export interface ExchangeShape<Kind extends string, Entry extends ExchangeEntry, Verified extends Entry = Entry> {
  readonly kind: Kind;
  /** Schema of its entries in the registry; `kind` is a literal there. */
  readonly schema: z.ZodType<Entry>;
  readonly checks: ExchangeChecks<Entry, Verified>;
  adapterOf(exchange: Verified): ExchangeAdapter;
  readonly proof: PurchaseProof;
  /** What its pools offered at past blocks, for a verifier. */
  readonly history: PoolHistory<Entry>;
  /** Effect of a trade on the price of its pool; undefined for an event of another shape. */
  tradeOf(evidence: TradeEvidence): PoolTrade | undefined;
  /** The name of its pools for visitors: pairs are V2, pools with a price range are V3. */
  readonly shownAs: 'V2' | 'V3';
  /** Describes a verified exchange for operators, such as `SwapRouter, Quoter V2`. */
  describe(exchange: Verified): string;
}
