import type { Address, Hex } from 'viem';
import type { UniswapV2Exchange, UniswapV3Exchange } from '../exchanges/exchanges.ts';
import type { Query } from '../query.ts';

/** A registry entry that was checked on-chain, with what was read there. */
export type VerifiedExchange = UniswapV2Exchange | VerifiedV3Exchange;

/** A V3 entry with all that its code and factory told. */
export interface VerifiedV3Exchange extends UniswapV3Exchange {
  readonly routerHasDeadline: boolean;
  readonly quoterVersion: 1 | 2;
  /** Enabled on the factory, in hundredths of a basis point (3000 is 0.3 %). */
  readonly feeTiers: readonly number[];
}

/** A pool of a token against wrapped HYPE. */
export interface Pool {
  /** Id of its exchange, such as 'hyperswap-v3'. */
  readonly exchangeId: string;
  readonly kind: VerifiedExchange['kind'];
  readonly address: Address;
  readonly token: Address;
  /** V3 only, in hundredths of a basis point. */
  readonly feeTier?: number;
}

/** How deep a pool is. */
export interface PoolLiquidity {
  readonly pool: Pool;
  /** HYPE side, wei: what docs/adr/0001 defines for each kind. */
  readonly liquidityWei: bigint;
}

/** What a buy would bring now in one pool. */
export interface PoolQuote extends PoolLiquidity {
  readonly amountInWei: bigint;
  /** In the token's smallest unit; price impact and pool fee are in it. */
  readonly tokensOut: bigint;
}

/** A buy to be sent. */
export interface BuyOrder {
  readonly pool: Pool;
  /** Native HYPE spent, wei. */
  readonly amountInWei: bigint;
  /** Less than this reverts, in the token's smallest unit. */
  readonly minimumTokensOut: bigint;
  readonly recipient: Address;
  /** Unix time in seconds, judged by the block's timestamp. */
  readonly deadlineSeconds: bigint;
}

/** The transaction of a buy, but for nonce and fees. */
export interface BuyTransaction {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Enough gas for a token without logic of its own in transfers; the probe measures what a given one needs. */
  readonly gasLimit: bigint;
}

/** One exchange as the product uses it: find pools, measure, quote, buy. */
export interface ExchangeAdapter {
  readonly exchange: VerifiedExchange;
  /** Pools of the token against wrapped HYPE; none for wrapped HYPE itself. */
  poolsOf(token: Address): Query<readonly Pool[]>;
  /** HYPE side of one of its pools, wei. */
  liquidityOf(pool: Pool): Query<bigint>;
  /** Tokens that `amountInWei` of HYPE buys in one of its pools; undefined when the pool cannot fill it. */
  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined>;
  buyTransaction(order: BuyOrder): BuyTransaction;
}
