import { marketPrice, STANDARD_ORDER_WEI } from '@maker/rules';
import { type Address, createPublicClient, custom, zeroAddress } from 'viem';
import { type ChainClient, hostCountOf, hostsOf } from '../client.ts';
import type { EndpointHost } from '../endpoints/endpoint-pool.ts';
import type { Pool } from '../shapes/exchange-adapter.ts';
import type { VerifiedExchange } from '../shapes/shapes.ts';
import { type DeepMarket, deepPools, Market, type MarketQuestion } from './market.ts';
import { areAlike } from './markets-alike.ts';

/** Readings before hosts that differ disagree: each costs every host what one plan costs it. */
const MOST_READINGS = 2;

/** Price of the next order, pool fee in it, X96. `unconfirmed`: hosts differ, or too few answer. `none`: no pool is deep enough. */
export type ConfirmedPrice = bigint | 'unconfirmed' | 'none';

/** Two hosts do not tell alike what a token costs, or fewer than two answer. */
export class PriceUnconfirmedError extends Error {
  readonly code = 'PRICE_UNCONFIRMED';
  /** That answered. */
  readonly hosts: number;

  constructor(hosts: number) {
    super(hosts < 2 ? `${hosts} hosts told the price, two are needed` : `${hosts} hosts tell different prices`);
    this.name = 'PriceUnconfirmedError';
    this.hosts = hosts;
  }
}

/**
 * The pools of a market for a plan, as two hosts tell them alike: one host alone sets no price that a visitor sees. Source: docs/adr/0097.
 */
export class AgreedMarket {
  private readonly byHost = new Map<string, Market>();
  private readonly client: ChainClient;
  private readonly market: Market;
  private readonly trustsSingle: boolean;

  /** @param trustsSingle whether the word of one host is enough where no second one answers */
  constructor(client: ChainClient, market: Market, trustsSingle: boolean) {
    this.client = client;
    this.market = market;
    this.trustsSingle = trustsSingle;
  }

  /** The exchange that holds a pool. */
  exchangeOf(pool: Pool): VerifiedExchange {
    return this.market.exchangeOf(pool);
  }

  /** See {@link Market.deepMarket}. @throws PriceUnconfirmedError */
  async deepMarket(token: Address, question: MarketQuestion, gasPriceWei: bigint): Promise<DeepMarket> {
    if (this.believesLoneHost) return this.market.deepMarket(token, question, gasPriceWei);
    for (let reading = 1; ; reading += 1) {
      const answers = await Promise.all(
        // A host that fails says nothing.
        hostsOf(this.client).map((host) =>
          this.marketOf(host)
            .deepMarket(token, question, gasPriceWei)
            .catch(() => undefined),
        ),
      );
      const told = answers.filter((market) => market !== undefined);
      const agreed = told.find((market) => told.some((other) => other !== market && areAlike(market, other)));
      if (agreed) return agreed;
      const [only] = told;
      if (this.trustsSingle && only && told.length === 1) return only;
      if (told.length < 2 || reading === MOST_READINGS) throw new PriceUnconfirmedError(told.length);
    }
  }

  /**
   * The price that a plan would show. Asked of every host: one or two requests, and one for each deep pool. A lone host may allow a
   * hundred requests a minute: it is asked once, or twice while its pools are not known.
   */
  async price(token: Address, question: MarketQuestion, gasPriceWei: bigint): Promise<ConfirmedPrice> {
    if (this.believesLoneHost) return this.priceOfLoneHost(token, question, gasPriceWei);
    try {
      const { states } = await this.deepMarket(token, question, gasPriceWei);
      return marketPrice(states, gasPriceWei) ?? 'none';
    } catch (error) {
      if (error instanceof PriceUnconfirmedError) return 'unconfirmed';
      throw error;
    }
  }

  private get believesLoneHost(): boolean {
    return this.trustsSingle && hostCountOf(this.client) < 2;
  }

  private async priceOfLoneHost(
    token: Address,
    { minimumLiquidityWei }: MarketQuestion,
    gasPriceWei: bigint,
  ): Promise<ConfirmedPrice> {
    const { pools } = await this.market.samples(token, [STANDARD_ORDER_WEI / 2n, STANDARD_ORDER_WEI], zeroAddress);
    const states = deepPools(pools, minimumLiquidityWei).map(({ pool, orderGas, samples }) => ({
      exchange: pool.exchangeId,
      orderGas,
      laterGas: orderGas,
      samples,
    }));
    return marketPrice(states, gasPriceWei) ?? 'none';
  }

  /** The market as one host tells it, which remembers that host's pools. */
  private marketOf(host: EndpointHost): Market {
    const { exchanges } = this.market;
    const known = this.byHost.get(host.origin);
    if (known && idsOf(known.exchanges) === idsOf(exchanges)) return known;
    const market = new Market(clientOf(host, this.client), exchanges);
    this.byHost.set(host.origin, market);
    return market;
  }
}

const idsOf = (exchanges: Market['exchanges']) => exchanges.map(({ id }) => id).join();

function clientOf({ request }: EndpointHost, { chain }: ChainClient): ChainClient {
  return createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) });
}
