import { ascending, type PoolState, rankedAfterGas, STANDARD_ORDER_WEI, sampleAmounts, smaller } from '@maker/rules';
import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import { erc20Abi } from '../abi/erc20.ts';
import { multicall3Abi } from '../abi/multicall3.ts';
import type { ChainClient } from '../client.ts';
import { callEncoder, decodeOrUndefined } from '../decode.ts';
import { all, type Query, queryAll } from '../query.ts';
import type {
  BuyOrder,
  BuyTransaction,
  ExchangeAdapter,
  Pool,
  PoolDepth,
  PoolLiquidity,
  PoolQuote,
  PoolSurvey,
} from '../shapes/exchange-adapter.ts';
import { adapterOf, type VerifiedExchange } from '../shapes/shapes.ts';

const balanceOfData = callEncoder(erc20Abi, 'balanceOf');
const blockNumberData = callEncoder(multicall3Abi, 'getBlockNumber');

/** Time for which a token's list of pools is reused for quotes, ms. Factories never remove a pool; new ones may wait. */
const POOLS_REUSED_MS = 10 * 60 * 1000;

/** Most tokens whose pools are cached. */
const TOKENS_REMEMBERED = 1000;

/** A pool's depth and quotes of one block, and the usual gas of an order in it. */
export interface PoolSamples extends PoolLiquidity {
  /** Of a wallet's first order in it. */
  readonly orderGas: bigint;
  /** Of a wallet that has the token. */
  readonly laterGas: bigint;
  /** For each amount that the pool can fill, wei; tokens in the smallest unit. */
  readonly samples: readonly { readonly inWei: bigint; readonly tokens: bigint }[];
}

/** Keeps the pools that are deep enough and have a quote. @param minimumLiquidityWei HYPE side that a pool must have, wei */
export function deepPools(pools: readonly PoolSamples[], minimumLiquidityWei: bigint): readonly PoolSamples[] {
  return pools.filter(({ liquidityWei, samples }) => liquidityWei >= minimumLiquidityWei && samples.length > 0);
}

/** Usable pools, and a holder's balance of the token, at one block. */
export interface MarketSamples {
  readonly pools: readonly PoolSamples[];
  /** In the token's smallest unit; undefined where the token does not answer. */
  readonly holderTokens: bigint | undefined;
  /** Height of that block; undefined on a network without Multicall3. */
  readonly blockNumber: number | undefined;
}

/** Pools that are deep enough, the cheapest one for an order first, and their quotes for rising amounts. */
export interface DeepMarket {
  readonly quotes: readonly PoolQuote[];
  readonly states: readonly PoolState[];
}

/** Limits of a market reading, wei. */
export interface MarketQuestion {
  /** HYPE side that a pool must have; shallower pools are left out. */
  readonly minimumLiquidityWei: bigint;
  /** Most that the job may spend. */
  readonly budgetWei: bigint;
}

/** Combines all verified exchanges of a network into one market. */
export class Market {
  private readonly client: ChainClient;
  private used: ReadonlyMap<string, { readonly exchange: VerifiedExchange; readonly adapter: ExchangeAdapter }> =
    new Map();
  private readonly remembered = new LRUCache<Address, readonly Pool[]>({
    max: TOKENS_REMEMBERED,
    ttl: POOLS_REUSED_MS,
  });

  constructor(client: ChainClient, exchanges: readonly VerifiedExchange[]) {
    this.client = client;
    this.use(exchanges);
  }

  /** Replaces the exchanges and clears the cached pools: each exchange that leaves or returns changes a token's pools. */
  use(exchanges: readonly VerifiedExchange[]): void {
    this.used = new Map(exchanges.map((exchange) => [exchange.id, { exchange, adapter: adapterOf(exchange) }]));
    this.remembered.clear();
  }

  get exchanges(): readonly VerifiedExchange[] {
    return [...this.used.values()].map(({ exchange }) => exchange);
  }

  /** The exchange that holds a pool. */
  exchangeOf(pool: Pool): VerifiedExchange {
    return this.usedFor(pool).exchange;
  }

  /** Every pool of the token against wrapped HYPE, read now. One request. @throws ChainUnavailableError */
  async pools(token: Address): Promise<readonly Pool[]> {
    const found = await queryAll(
      this.client,
      [...this.used.values()].map(({ adapter }) => adapter.poolsOf(token)),
    );
    return found.flat();
  }

  /**
   * Every pool of the token, read now, deepest first, with a quote where the pool can fill the amount. Two requests.
   * @param amountInWei native HYPE to spend, wei @throws ChainUnavailableError
   */
  async survey(token: Address, amountInWei: bigint): Promise<readonly PoolSurvey[]> {
    const pools = await this.pools(token);
    if (pools.length === 0) return [];
    const surveys = await this.measure(pools, amountInWei);
    return surveys.sort((one, other) => ascending(other.liquidityWei, one.liquidityWei));
  }

  /**
   * Current quotes of each pool that can fill the amount, best after gas first, with the pool's depth. One request; two
   * when the token's pools are not cached.
   * @param amountInWei native HYPE to spend, wei @param gasPriceWei wei per gas
   * @throws ChainUnavailableError
   */
  async quotes(token: Address, amountInWei: bigint, gasPriceWei: bigint): Promise<readonly PoolQuote[]> {
    const pools = await this.rememberedPools(token);
    if (pools.length === 0) return [];
    return this.ranked(await this.measure(pools, amountInWei), gasPriceWei);
  }

  /**
   * Current quotes of each pool for several amounts, and an address's balance of the token. One request; two when the
   * token's pools are not cached. @param amounts wei @throws ChainUnavailableError
   */
  async samples(token: Address, amounts: readonly bigint[], holder: Address): Promise<MarketSamples> {
    const pools = await this.rememberedPools(token);
    const [blockNumber, holderTokens, ...measures] = await queryAll(this.client, [
      blockNumberOf(this.client),
      balanceOf(token, holder),
      ...pools.map((pool) => {
        const adapter = this.adapterOf(pool);
        return all([adapter.depthOf(pool), all(amounts.map((amount) => adapter.quoteBuy(pool, amount)))]);
      }),
    ]);
    return {
      blockNumber: blockNumber as number | undefined,
      holderTokens: holderTokens as bigint | undefined,
      pools: pools.flatMap((pool, index) => {
        const measure = measures[index] as readonly [PoolDepth, readonly (bigint | undefined)[]] | undefined;
        if (!measure || measure[0].refusal !== undefined) return [];
        const samples = amounts.flatMap((inWei, at) => {
          const tokens = measure[1][at];
          return tokens === undefined ? [] : [{ inWei, tokens }];
        });
        const { typicalGas: orderGas, laterGas } = this.adapterOf(pool);
        return [{ pool, ...measure[0], orderGas, laterGas, samples }];
      }),
    };
  }

  /**
   * Ranks the quotes of a survey by a token's total cost, the cheapest first: pool fee, price impact and gas. Source: design § 4a.
   * @param gasPriceWei wei per gas
   */
  ranked(surveys: readonly PoolSurvey[], gasPriceWei: bigint): readonly PoolQuote[] {
    const [first] = surveys;
    if (!first) return [];
    const offers = surveys
      .filter((survey): survey is PoolQuote => survey.tokensOut !== undefined && survey.refusal === undefined)
      .map((quote) => ({ quote, tokens: quote.tokensOut, gas: this.adapterOf(quote.pool).typicalGas }));
    return rankedAfterGas(offers, first.amountInWei, gasPriceWei).map(({ quote }) => quote);
  }

  /**
   * Quotes of pools for rising amounts, each pool at one block, for a plan. No amount exceeds the pool's depth: there the price is
   * outside every price band, and a quote for more makes a V3 pool step through all its empty ticks. One request for each pool,
   * because nodes limit the gas of a call.
   * @param budgetWei most that the job may spend, wei @throws ChainUnavailableError
   */
  async states(pools: readonly PoolLiquidity[], budgetWei: bigint): Promise<readonly PoolState[]> {
    return Promise.all(
      pools.map(async ({ pool, liquidityWei }) => {
        const adapter = this.adapterOf(pool);
        const amounts = sampleAmounts(smaller(budgetWei, liquidityWei));
        const quoted = await queryAll(
          this.client,
          amounts.map((amount) => adapter.quoteBuy(pool, amount)),
        );
        const samples = amounts.flatMap((inWei, index) => {
          const tokens = quoted[index];
          return tokens === undefined ? [] : [{ inWei, tokens }];
        });
        return { exchange: pool.exchangeId, orderGas: adapter.typicalGas, laterGas: adapter.laterGas, samples };
      }),
    );
  }

  /**
   * The pools that are deep enough for the product; see {@link quotes} and {@link states}.
   * @param gasPriceWei wei per gas, by which they are ranked @throws ChainUnavailableError
   */
  async deepMarket(
    token: Address,
    { minimumLiquidityWei, budgetWei }: MarketQuestion,
    gasPriceWei: bigint,
  ): Promise<DeepMarket> {
    const all = await this.quotes(token, STANDARD_ORDER_WEI, gasPriceWei);
    const quotes = all.filter(({ liquidityWei }) => liquidityWei >= minimumLiquidityWei);
    return { quotes, states: await this.states(quotes, budgetWei) };
  }

  /** The transaction that buys in the order's pool. */
  buyTransaction(order: BuyOrder): BuyTransaction {
    return this.adapterOf(order.pool).buyTransaction(order);
  }

  private async measure(pools: readonly Pool[], amountInWei: bigint): Promise<PoolSurvey[]> {
    const measures = await queryAll(
      this.client,
      pools.map((pool) => all([this.adapterOf(pool).depthOf(pool), this.adapterOf(pool).quoteBuy(pool, amountInWei)])),
    );
    return pools.flatMap((pool, index) => {
      const measure = measures[index];
      if (!measure) return [];
      const [depth, tokensOut] = measure;
      return [{ pool, ...depth, amountInWei, tokensOut }];
    });
  }

  private async rememberedPools(token: Address): Promise<readonly Pool[]> {
    const known = this.remembered.get(token);
    if (known) return known;
    const pools = await this.pools(token);
    if (pools.length > 0) this.remembered.set(token, pools);
    return pools;
  }

  private adapterOf(pool: Pool): ExchangeAdapter {
    return this.usedFor(pool).adapter;
  }

  private usedFor({ address, exchangeId }: Pool) {
    const used = this.used.get(exchangeId);
    if (!used) throw new TypeError(`Pool ${address} is of '${exchangeId}', which is not in the registry`);
    return used;
  }
}

function balanceOf(token: Address, holder: Address): Query<bigint | undefined> {
  return {
    calls: [{ to: token, data: balanceOfData(holder) }],
    decode: ([returned]) => decodeOrUndefined(erc20Abi, 'balanceOf', returned),
  };
}

function blockNumberOf({ chain }: ChainClient): Query<number | undefined> {
  const to = chain.contracts?.multicall3?.address;
  if (!to) return { calls: [], decode: () => undefined };
  return {
    calls: [{ to, data: blockNumberData() }],
    decode: ([returned]) => {
      const height = decodeOrUndefined(multicall3Abi, 'getBlockNumber', returned);
      return height === undefined ? undefined : Number(height);
    },
  };
}
