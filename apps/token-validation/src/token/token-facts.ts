import type { ExchangeKind, PoolRefusal, TokenMetadata, TradeVerdict } from '@maker/chain';

/** The facts of a pool that the decision needs. */
export interface PoolFact {
  readonly exchangeId: string;
  readonly kind: ExchangeKind;
  /** HYPE side, wei. */
  readonly liquidityWei: bigint;
  /** Reason why the product never trades in it. */
  readonly refusal?: PoolRefusal;
}

/** Result of a token's trial trades. */
export type TradeFact = TradeVerdict & {
  /** Exchange of the trial: the cheapest on which it trades like a plain token, or else the cheapest. */
  readonly exchangeId: string;
};

/** The chain's facts about an address. */
export type TokenFacts =
  | { readonly kind: 'no_contract' }
  | { readonly kind: 'no_token' }
  | {
      readonly kind: 'token';
      readonly token: TokenMetadata;
      /** Deepest first. */
      readonly pools: readonly PoolFact[];
      /** Absent if no pool was deep enough for a trial. */
      readonly trade?: TradeFact;
    };
