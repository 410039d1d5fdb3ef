import type { EventLog, Exchange } from '@maker/chain/venues';
import type { Address, Hash, Hex } from 'viem';

export type LogFact = EventLog;

/** A transaction with its receipt and its block, as an endpoint tells them. Addresses in lower case, amounts in wei. */
export interface TransactionFact {
  readonly hash: Hash;
  readonly from: Address;
  readonly to: Address | null;
  readonly nonce: number;
  readonly valueWei: bigint;
  readonly input: Hex;
  readonly blockNumber: number;
  /** Seconds since 1970. */
  readonly blockSeconds: number;
  readonly succeeded: boolean;
  readonly gasWei: bigint;
  /** Paid for a unit of gas. */
  readonly gasPriceWei: bigint;
  readonly logs: readonly LogFact[];
}

/** All that is read of the chain to judge one receipt; the wallet's state is the newest, since HyperEVM keeps no other. */
export interface ChainFacts {
  readonly chainId: number;
  /** Hash of the block that the receipt is as of; null where the endpoint has none at that height. */
  readonly asOfBlockHash: Hash | null;
  readonly wallet: {
    readonly hasCode: boolean;
    /** Transactions that it has sent. */
    readonly nonce: number;
    readonly balanceWei: bigint;
    /** Of the receipt's token; null where the token does not answer. */
    readonly tokens: bigint | null;
    /** By whom tokens went out of it, as the token tells; only looked for where some are missing. */
    readonly movedOut: readonly { readonly transactionHash: Hash; readonly amount: bigint }[];
  };
  readonly tokenDecimals: number | null;
  /** Exchanges that the verifier knows on this chain, from its own build. */
  readonly venues: readonly Exchange[];
  /** Pools that their factories name for what was bought, by `poolKey`; null where a factory names none. */
  readonly pools: ReadonlyMap<string, Address | null>;
  /** By hash; one that the endpoint does not know is absent. */
  readonly transactions: ReadonlyMap<Hash, TransactionFact>;
}
