import type { Address } from 'viem';
import type { ChainClient } from '../client.ts';
import { queryAll } from '../query.ts';
import type {
  BuyOrder,
  BuyTransaction,
  ExchangeAdapter,
  Pool,
  PoolLiquidity,
  PoolQuote,
  VerifiedExchange,
} from './exchange-adapter.ts';
import { UniswapV2Adapter } from './uniswap-v2-adapter.ts';
import { UniswapV3Adapter } from './uniswap-v3-adapter.ts';

/** How long a token's list of pools is reused for quotes, ms. Factories never remove a pool; new ones may wait. */
const POOLS_REUSED_MS = 10 * 60 * 1000;

/** Tokens whose pools are remembered; the oldest is forgotten first. */
const TOKENS_REMEMBERED = 1000;

/** All verified exchanges of a network as one market. */
export class Market {
  private readonly client: ChainClient;
  private readonly adapters: ReadonlyMap<string, ExchangeAdapter>;
  private readonly now: () => number;
  private readonly remembered = new Map<Address, { readonly pools: readonly Pool[]; readonly at: number }>();

  /** @param now ms; the clock by which remembered pools age */
  constructor(client: ChainClient, exchanges: readonly VerifiedExchange[], now: () => number = Date.now) {
    this.client = client;
    this.adapters = new Map(exchanges.map((exchange) => [exchange.id, adapterOf(exchange)]));
    this.now = now;
  }

  get exchanges(): readonly VerifiedExchange[] {
    return [...this.adapters.values()].map((adapter) => adapter.exchange);
  }

  /** The exchange that holds a pool. */
  exchangeOf(pool: Pool): VerifiedExchange {
    return this.adapterOf(pool).exchange;
  }

  /** Every pool of the token against wrapped HYPE, read now. One request. @throws ChainUnavailableError */
  async pools(token: Address): Promise<readonly Pool[]> {
    const found = await queryAll(
      this.client,
      [...this.adapters.values()].map((adapter) => adapter.poolsOf(token)),
    );
    return found.flat();
  }

  /** HYPE side of every pool of the token, deepest first. Two requests. @throws ChainUnavailableError */
  async liquidity(token: Address): Promise<readonly PoolLiquidity[]> {
    const pools = await this.pools(token);
    if (pools.length === 0) return [];
    const liquidities = await queryAll(
      this.client,
      pools.map((pool) => this.adapterOf(pool).liquidityOf(pool)),
    );
    return pools
      .map((pool, index) => ({ pool, liquidityWei: liquidities[index] ?? 0n }))
      .sort((one, other) => compare(other.liquidityWei, one.liquidityWei));
  }

  /**
   * What a buy would bring now in each pool that can fill it, best first, with the pool's liquidity. One request; two
   * when the token's pools are not known yet.
   * @param amountInWei native HYPE to spend, wei
   * @throws ChainUnavailableError
   */
  async quotes(token: Address, amountInWei: bigint): Promise<readonly PoolQuote[]> {
    const pools = await this.rememberedPools(token);
    if (pools.length === 0) return [];
    const answers = await queryAll(this.client, [
      ...pools.map((pool) => this.adapterOf(pool).quoteBuy(pool, amountInWei)),
      ...pools.map((pool) => this.adapterOf(pool).liquidityOf(pool)),
    ]);
    return pools
      .flatMap((pool, index) => {
        const tokensOut = answers[index];
        const liquidityWei = answers[pools.length + index] ?? 0n;
        return tokensOut === undefined ? [] : [{ pool, amountInWei, tokensOut, liquidityWei }];
      })
      .sort((one, other) => compare(other.tokensOut, one.tokensOut));
  }

  /**
   * The pool that gives most tokens among those deep enough; undefined when there is none.
   * @param minimumLiquidityWei HYPE side a pool must have, wei
   * @throws ChainUnavailableError
   */
  async bestQuote(token: Address, amountInWei: bigint, minimumLiquidityWei = 0n): Promise<PoolQuote | undefined> {
    const quotes = await this.quotes(token, amountInWei);
    return quotes.find((quote) => quote.liquidityWei >= minimumLiquidityWei);
  }

  /** The transaction that buys in the order's pool. */
  buyTransaction(order: BuyOrder): BuyTransaction {
    return this.adapterOf(order.pool).buyTransaction(order);
  }

  private async rememberedPools(token: Address): Promise<readonly Pool[]> {
    const known = this.remembered.get(token);
    if (known && this.now() - known.at < POOLS_REUSED_MS) return known.pools;
    const pools = await this.pools(token);
    if (pools.length > 0) this.remember(token, pools);
    return pools;
  }

  private remember(token: Address, pools: readonly Pool[]): void {
    this.remembered.delete(token);
    this.remembered.set(token, { pools, at: this.now() });
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > TOKENS_REMEMBERED && oldest) this.remembered.delete(oldest);
  }

  private adapterOf(pool: Pool): ExchangeAdapter {
    const adapter = this.adapters.get(pool.exchangeId);
    if (!adapter) throw new TypeError(`Pool ${pool.address} is of '${pool.exchangeId}', which is not in the registry`);
    return adapter;
  }
}

function adapterOf(exchange: VerifiedExchange): ExchangeAdapter {
  return exchange.kind === 'uniswap-v2' ? new UniswapV2Adapter(exchange) : new UniswapV3Adapter(exchange);
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
