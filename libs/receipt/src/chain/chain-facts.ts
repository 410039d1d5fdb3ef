import type { EventLog, Exchange } from '@maker/chain/venues';
import type { Address, Hash, Hex } from 'viem';
import type { JudgedPrices } from '../prices/judge-prices.ts';

export type LogFact = EventLog;

/** A transaction with its receipt and its block, as an endpoint reports them. Addresses in lower case, amounts in wei. */
export interface TransactionFact {
  readonly hash: Hash;
  readonly from: Address;
  readonly to: Address | null;
  readonly nonce: number;
  readonly valueWei: bigint;
  readonly input: Hex;
  readonly blockNumber: number;
  /** Place in its block. */
  readonly transactionIndex: number;
  /** Seconds since 1970. */
  readonly blockSeconds: number;
  readonly succeeded: boolean;
  readonly gasWei: bigint;
  /** Effective price, wei per gas. */
  readonly gasPriceWei: bigint;
  readonly logs: readonly LogFact[];
}

/** Facts of the chain for one receipt. The wallet's state is the newest, because HyperEVM keeps no past state. */
export interface ChainFacts {
  readonly chainId: number;
  /** Hash of the receipt's newest block; null if the endpoint has no block at that height. */
  readonly asOfBlockHash: Hash | null;
  readonly wallet: {
    readonly hasCode: boolean;
    /** Number of transactions that the wallet has sent. */
    readonly nonce: number;
    readonly balanceWei: bigint;
    /** Balance of the receipt's token; null if the token does not answer. */
    readonly tokens: bigint | null;
    /** Transfers of the token out of the wallet, by its events; only read if tokens are missing. */
    readonly movedOut: readonly { readonly transactionHash: Hash; readonly amount: bigint }[];
  };
  readonly tokenDecimals: number | null;
  /** Exchanges on this chain in the verifier's own build. */
  readonly venues: readonly Exchange[];
  /** Pools that the factories name for the purchases, by `poolKey`; null if a factory names none. */
  readonly pools: ReadonlyMap<string, Address | null>;
  /** The orders beside every pool of the pair; absent if the reader did not ask for it. */
  readonly prices?: JudgedPrices;
  /** By hash, without transactions that the endpoint does not know. */
  readonly transactions: ReadonlyMap<Hash, TransactionFact>;
}
