import type { Address, Hex } from 'viem';
import type { Call, Query } from '../query.ts';
import { type ExchangeEntry, poolIn } from './exchange-entry.ts';

/** A pool of a token against wrapped HYPE. */
export interface Pool {
  /** Id of its exchange, such as 'hyperswap-v3'. */
  readonly exchangeId: string;
  readonly address: Address;
  readonly token: Address;
  /** Present for shapes with a pool for each fee, in hundredths of a basis point. */
  readonly feeTier?: number;
}

/** The reason for never buying in a pool, however deep it is. */
export type PoolRefusal = 'stable_pair';

/** Depth of a pool. */
export interface PoolDepth {
  /** HYPE side, wei; docs/adr/0001 defines it for each kind. */
  readonly liquidityWei: bigint;
  readonly refusal?: PoolRefusal;
}

/** A pool with its depth. */
export interface PoolLiquidity extends PoolDepth {
  readonly pool: Pool;
}

/** Current quote of a buy in one pool. */
export interface PoolQuote extends PoolLiquidity {
  readonly amountInWei: bigint;
  /** In the token's smallest unit, after price impact and pool fee. */
  readonly tokensOut: bigint;
}

/** A pool with its depth, and a quote if the pool can fill the buy. */
export type PoolSurvey = Omit<PoolQuote, 'tokensOut'> & { readonly tokensOut: bigint | undefined };

/** A buy to send. */
export interface BuyOrder {
  readonly pool: Pool;
  /** Native HYPE spent, wei. */
  readonly amountInWei: bigint;
  /** The buy reverts if it brings less, in the token's smallest unit. */
  readonly minimumTokensOut: bigint;
  readonly recipient: Address;
  /** Unix time in seconds, compared with the block's timestamp. */
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

/** The transaction of a buy, without nonce and fees. */
export interface BuyTransaction {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Enough gas for a token without own logic in transfers; the probe measures the need of a given token. */
  readonly gasLimit: bigint;
}

/** The product's interface to one exchange: find pools, measure, quote, buy. */
export interface ExchangeAdapter {
  readonly exchange: ExchangeEntry;
  /** Total gas of a first buy of a plain token, measured; used to compare exchanges after gas. */
  readonly typicalGas: bigint;
  /** Gas of a buy by a wallet that already has the token, measured. */
  readonly laterGas: bigint;
  /** Revert reason of a sale if the pool receives less than the swap owes; absent where sales tolerate a fee. */
  readonly underpaid?: string;
  /** Pools of the token against wrapped HYPE; none for wrapped HYPE itself. */
  poolsOf(token: Address): Query<readonly Pool[]>;
  /** Depth of one of its pools. */
  depthOf(pool: Pool): Query<PoolDepth>;
  /** Tokens that `amountInWei` of HYPE buys in one of its pools; undefined when the pool cannot fill it. */
  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined>;
  buyTransaction(order: BuyOrder): BuyTransaction;
  /** Quote for a sale of a token without a fee in one of its pools, wei; 0 where the exchange gives none. */
  quoteSale(pool: Pool, amount: bigint): Query<bigint>;
  /** A sale at any price. Its target contract needs the allowance for the tokens. It may pay in wrapped HYPE. */
  saleCall(sale: TrialSale): Call;
}

/** The pool of a token at an exchange with at most one pool for two tokens. @param call asks the factory for it */
export function onePool({ id }: ExchangeEntry, token: Address, call: Call): Query<readonly Pool[]> {
  return {
    calls: [call],
    decode: ([returned]) => {
      const address = poolIn(returned);
      return address ? [{ exchangeId: id, address, token }] : [];
    },
  };
}
