import type { z } from 'zod';
import type { ExchangeAdapter } from './exchange-adapter.ts';
import type { ExchangeChecks, ExchangeEntry } from './exchange-entry.ts';
import type { PoolTrade, TradeEvidence } from './pool-trade.ts';
import type { PurchaseProof } from './purchase-proof.ts';

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
