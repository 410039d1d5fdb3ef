import type { Address, Hex } from 'viem';
import type { Call, Query } from '../query.ts';
import { type ExchangeEntry, poolIn } from './exchange-entry.ts';

/** A pool of a token against wrapped HYPE. */
export interface Pool {
  /** Id of its exchange, such as 'hyperswap-v3'. */
  readonly exchangeId: string;
  readonly address: Address;
  readonly token: Address;
  /** Of shapes with a pool for each fee, in hundredths of a basis point. */
  readonly feeTier?: number;
}

/** Why a pool is never bought in, however deep it is. */
export type PoolRefusal = 'stable_pair';

/** How deep a pool is. */
export interface PoolDepth {
  /** HYPE side, wei: what docs/adr/0001 defines for each kind. */
  readonly liquidityWei: bigint;
  readonly refusal?: PoolRefusal;
}

/** A pool with its depth. */
export interface PoolLiquidity extends PoolDepth {
  readonly pool: Pool;
}

/** What a buy would bring now in one pool. */
export interface PoolQuote extends PoolLiquidity {
  readonly amountInWei: bigint;
  /** In the token's smallest unit; price impact and pool fee are in it. */
  readonly tokensOut: bigint;
}

/** A pool with its depth, and what a buy would bring where it can be filled. */
export type PoolSurvey = Omit<PoolQuote, 'tokensOut'> & { readonly tokensOut: bigint | undefined };

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

/** A sale, which only trials make. */
export interface TrialSale {
  readonly pool: Pool;
  /** In the token's smallest unit. */
  readonly amount: bigint;
  readonly recipient: Address;
  /** Unix time in seconds. */
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
  readonly exchange: ExchangeEntry;
  /** What a first buy of a plain token takes in all, measured: by it exchanges are compared after gas. */
  readonly typicalGas: bigint;
  /** What a buy takes whose wallet has the token already, measured. */
  readonly laterGas: bigint;
  /** What a sale reverts with where less reached the pool than the swap owes; absent where sales tolerate a fee. */
  readonly underpaid?: string;
  /** Pools of the token against wrapped HYPE; none for wrapped HYPE itself. */
  poolsOf(token: Address): Query<readonly Pool[]>;
  /** How deep one of its pools is. */
  depthOf(pool: Pool): Query<PoolDepth>;
  /** Tokens that `amountInWei` of HYPE buys in one of its pools; undefined when the pool cannot fill it. */
  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined>;
  buyTransaction(order: BuyOrder): BuyTransaction;
  /** What a sale of a token without a fee would bring in one of its pools, wei; 0 where the exchange does not say. */
  quoteSale(pool: Pool, amount: bigint): Query<bigint>;
  /** A sale at any price, called on the contract that must be allowed to take the tokens. It may pay in wrapped HYPE. */
  saleCall(sale: TrialSale): Call;
}

/** The pool of a token at an exchange that has one or none for two tokens. @param call asks the factory for it */
export function onePool({ id }: ExchangeEntry, token: Address, call: Call): Query<readonly Pool[]> {
  return {
    calls: [call],
    decode: ([returned]) => {
      const address = poolIn(returned);
      return address ? [{ exchangeId: id, address, token }] : [];
    },
  };
}
