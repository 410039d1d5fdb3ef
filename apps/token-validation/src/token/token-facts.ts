import type { ExchangeKind, PoolRefusal, TokenMetadata, TradeVerdict } from '@maker/chain';

/** A pool of the token as far as the decision needs it. */
export interface PoolFact {
  readonly exchangeId: string;
  readonly kind: ExchangeKind;
  /** HYPE side, wei. */
  readonly liquidityWei: bigint;
  /** Why it is never traded in. */
  readonly refusal?: PoolRefusal;
}

/** How the token trades. */
export type TradeFact = TradeVerdict & {
  /** Where it was tried: the cheapest exchange that it trades on as a plain token does, or else the cheapest. */
  readonly exchangeId: string;
};

/** What the chain says of an address. */
export type TokenFacts =
  | { readonly kind: 'no_contract' }
  | { readonly kind: 'no_token' }
  | {
      readonly kind: 'token';
      readonly token: TokenMetadata;
      /** Deepest first. */
      readonly pools: readonly PoolFact[];
      /** Absent where no pool was deep enough to be tried. */
      readonly trade?: TradeFact;
    };
