import { type Abi, type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { callEncoder, decodeOrUndefined } from '../decode.ts';
import type { Call, Query } from '../query.ts';
import {
  type BuyOrder,
  type BuyTransaction,
  type ExchangeAdapter,
  onePool,
  type Pool,
  type PoolDepth,
  type TrialSale,
} from './exchange-adapter.ts';
import {
  answersWithPool,
  checksOfOneVersion,
  type ExchangeChecks,
  type ExchangeEntry,
  statedAddresses,
} from './exchange-entry.ts';

/** The used part of a factory of pairs. */
const pairFactoryAbi = parseAbi(['function getPair(address tokenA, address tokenB) view returns (address)']);

/** The read functions of every pairs' router. */
export const pairRouterReadsAbi = parseAbi([
  'function factory() view returns (address)',
  'function WETH() view returns (address)',
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
]);

const amountsOutData = callEncoder(pairRouterReadsAbi, 'getAmountsOut');

/** Creates the checks for exchanges of pairs, which differ only in their swaps. @param routerAbi all called functions of the router */
export function pairChecks<Entry extends ExchangeEntry>(routerAbi: Abi): ExchangeChecks<Entry> {
  return checksOfOneVersion(
    ({ factory, router }) => [
      { role: 'factory', address: factory, abis: [pairFactoryAbi] },
      { role: 'router', address: router, abis: [routerAbi] },
    ],
    (exchange) =>
      answersWithPool(exchange, statedAddresses(exchange, { router: exchange.router }, 'WETH'), pairQuery, 'getPair'),
  );
}

/** Asks a factory for the pair of two tokens; `poolIn` reads its answer. */
export function pairQuery({ factory }: ExchangeEntry, token: Address, other: Address): Call {
  const data = encodeFunctionData({ abi: pairFactoryAbi, functionName: 'getPair', args: [token, other] });
  return { to: factory, data };
}

/** The token's pair with wrapped HYPE. */
export function pairsOf(exchange: ExchangeEntry, token: Address): Query<readonly Pool[]> {
  return onePool(exchange, token, pairQuery(exchange, token, exchange.wrappedNative));
}

/** Base of adapters for exchanges of pairs; their pairs and their swaps differ. */
export abstract class PairAdapter<Entry extends ExchangeEntry> implements ExchangeAdapter {
  readonly exchange: Entry;
  abstract readonly typicalGas: bigint;
  abstract readonly laterGas: bigint;
  protected abstract readonly buyGasLimit: bigint;

  constructor(exchange: Entry) {
    this.exchange = exchange;
  }

  abstract depthOf(pool: Pool): Query<PoolDepth>;
  abstract quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined>;
  abstract quoteSale(pool: Pool, amount: bigint): Query<bigint>;

  /** Calldata of the swap that applies the minimum to the received amount, not to the amount that the pair sends. */
  protected abstract buyData(order: BuyOrder, path: readonly Address[]): Hex;

  /** Calldata of the sale that tolerates a fee, so that a taxed sale brings less money and does not revert. */
  protected abstract saleData(sale: TrialSale, path: readonly Address[]): Hex;

  /** The token's pair with wrapped HYPE; a factory of pairs has at most one. */
  poolsOf(token: Address): Query<readonly Pool[]> {
    return pairsOf(this.exchange, token);
  }

  buyTransaction(order: BuyOrder): BuyTransaction {
    const data = this.buyData(order, [this.exchange.wrappedNative, order.pool.token]);
    return { to: this.exchange.router, data, value: order.amountInWei, gasLimit: this.buyGasLimit };
  }

  saleCall(sale: TrialSale): Call {
    return { to: this.exchange.router, data: this.saleData(sale, [sale.pool.token, this.exchange.wrappedNative]) };
  }
}

/** Asks a router for a quote along a path of two tokens; {@link routedAmount} reads its answer. */
export function amountsOut({ router }: ExchangeEntry, amount: bigint, path: readonly Address[]): Call {
  return { to: router, data: amountsOutData(amount, path) };
}

/** The router's quote along a path of two tokens; undefined where it gives none, or quotes zero. */
export function routedAmount(returned: Hex | undefined): bigint | undefined {
  return decodeOrUndefined(pairRouterReadsAbi, 'getAmountsOut', returned)?.[1] || undefined;
}
