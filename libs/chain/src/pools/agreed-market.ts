import { marketPrice, STANDARD_ORDER_WEI } from '@maker/rules';
import { type Address, zeroAddress } from 'viem';
import { Hosts } from '../agreement/hosts.ts';
import type { ChainClient } from '../client.ts';
import { agreedAnswers, quorum, quorumOf, UnconfirmedError } from '../quorum.ts';
import type { Pool } from '../shapes/exchange-adapter.ts';
import type { VerifiedExchange } from '../shapes/shapes.ts';
import { type DeepMarket, deepPools, Market, type MarketQuestion, type MarketSamples } from './market.ts';
import { areAlike, areSamplesAlike } from './markets-alike.ts';

/** Price of the next order including the pool fee, X96. `unconfirmed`: hosts differ, or too few answer. `none`: no pool is deep enough. */
export type ConfirmedPrice = bigint | 'unconfirmed' | 'none';

/**
 * The pools of a market for a plan, if two hosts agree on them: no single host sets a price that a visitor sees. Source: docs/adr/0097.
 */
export class AgreedMarket {
  private readonly byHost = new Map<string, Market>();
  private readonly hosts: Hosts;
  private readonly client: ChainClient;
  private readonly market: Market;

  /** @param trustsSingle whether one host's answer is enough where no second one answers */
  constructor(client: ChainClient, market: Market, trustsSingle: boolean) {
    this.client = client;
    this.market = market;
    this.hosts = new Hosts(client, trustsSingle);
  }

  /** The exchange that holds a pool. */
  exchangeOf(pool: Pool): VerifiedExchange {
    return this.market.exchangeOf(pool);
  }

  /** See {@link Market.deepMarket}: of the hosts that agree, the first one's. @throws UnconfirmedError */
  async deepMarket(token: Address, question: MarketQuestion, gasPriceWei: bigint): Promise<DeepMarket> {
    const asked = this.hosts.question((client) => this.marketOf(client).deepMarket(token, question, gasPriceWei));
    const read = () => quorum(asked, { tolerance: areAlike });
    let verdict = await read();
    // One of the hosts may be a block behind. Another reading costs every host as many requests as one plan.
    if (verdict.kind === 'split') verdict = await read();
    return agreedAnswers(verdict)[0];
  }

  /**
   * The price that a plan would show. Requests to each host: one or two, and one for each deep pool. A lone host may allow only a
   * hundred requests a minute: it gets one request, or two while its pools are unknown.
   */
  async price(token: Address, question: MarketQuestion, gasPriceWei: bigint): Promise<ConfirmedPrice> {
    if (this.hosts.isAlone) return this.priceOfLoneHost(token, question, gasPriceWei);
    try {
      const { states } = await this.deepMarket(token, question, gasPriceWei);
      return marketPrice(states, gasPriceWei) ?? 'none';
    } catch (error) {
      if (error instanceof UnconfirmedError) return 'unconfirmed';
      throw error;
    }
  }

  /**
   * See {@link Market.samples}. Of the hosts that agree, it takes the one whose pools give least, so that an order by its quote succeeds.
   * Not confirmed where one host alone answers. @throws UnconfirmedError
   */
  async samples(
    token: Address,
    amounts: readonly bigint[],
    holder: Address,
    minimumLiquidityWei: bigint,
  ): Promise<MarketSamples & { readonly isConfirmed: boolean }> {
    const deep = ({ pools }: MarketSamples) => deepPools(pools, minimumLiquidityWei);
    const answers = await this.hosts.answers((client) => this.marketOf(client).samples(token, amounts, holder));
    const [only] = answers;
    if (only && answers.length === 1) return { ...only, isConfirmed: this.hosts.trustsSingle };
    const tolerance = (one: MarketSamples, other: MarketSamples) => areSamplesAlike(deep(one), deep(other));
    const agreed = agreedAnswers(quorumOf(answers, this.hosts.trustsSingle, { tolerance }));
    const given = (market: MarketSamples) =>
      deep(market).reduce((sum, { samples }) => sum + samples.reduce((all, { tokens }) => all + tokens, 0n), 0n);
    const least = agreed.reduce((fewest, market) => (given(market) < given(fewest) ? market : fewest));
    return { ...least, isConfirmed: true };
  }

  private async priceOfLoneHost(
    token: Address,
    { minimumLiquidityWei }: MarketQuestion,
    gasPriceWei: bigint,
  ): Promise<ConfirmedPrice> {
    const { pools } = await this.market.samples(token, [STANDARD_ORDER_WEI / 2n, STANDARD_ORDER_WEI], zeroAddress);
    const states = deepPools(pools, minimumLiquidityWei).map(({ pool, orderGas, laterGas, samples }) => ({
      exchange: pool.exchangeId,
      orderGas,
      laterGas,
      samples,
    }));
    return marketPrice(states, gasPriceWei) ?? 'none';
  }

  /** The market of one host, which caches that host's pools. */
  private marketOf(client: ChainClient): Market {
    if (client === this.client) return this.market;
    const { exchanges } = this.market;
    const known = this.byHost.get(client.uid);
    if (known && idsOf(known.exchanges) === idsOf(exchanges)) return known;
    const market = new Market(client, exchanges);
    this.byHost.set(client.uid, market);
    return market;
  }
}

const idsOf = (exchanges: Market['exchanges']) => exchanges.map(({ id }) => id).join();
