import type { z } from 'zod';
import type { EventLog } from '../decode.ts';
import type { ExchangeAdapter } from './exchange-adapter.ts';
import type { ExchangeChecks, ExchangeEntry } from './exchange-entry.ts';
import type { PurchaseProof } from './purchase-proof.ts';

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
