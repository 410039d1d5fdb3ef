import { type PoolState, STANDARD_ORDER_WEI } from '@maker/rules';
import { type Address, createPublicClient, custom } from 'viem';
import { type ChainClient, hostCountOf, hostsOf } from '../client.ts';
import type { EndpointHost } from '../endpoints/endpoint-pool.ts';
import { Market, type MarketQuestion } from './market.ts';

/** Part by which the quotes of two hosts for one amount may differ, basis points: the newest block of one may be older. */
const TOLERANCE_BPS = 100n;

/** Readings before hosts that differ disagree: each costs every host what one plan costs it. */
const MOST_READINGS = 2;

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

  /** See {@link Market.deepStates}. @throws PriceUnconfirmedError */
  async deepStates(token: Address, question: MarketQuestion, gasPriceWei: bigint): Promise<readonly PoolState[]> {
    if (this.trustsSingle && hostCountOf(this.client) < 2) return this.market.deepStates(token, question, gasPriceWei);
    for (let reading = 1; ; reading += 1) {
      const answers = await Promise.all(
        // A host that fails says nothing.
        hostsOf(this.client).map((host) =>
          this.marketOf(host)
            .deepStates(token, question, gasPriceWei)
            .catch(() => undefined),
        ),
      );
      const told = answers.filter((states) => states !== undefined);
      const agreed = told.find((states) => told.some((others) => others !== states && areAlike(states, others)));
      if (agreed) return agreed;
      const [only] = told;
      if (this.trustsSingle && only && told.length === 1) return only;
      if (told.length < 2 || reading === MOST_READINGS) throw new PriceUnconfirmedError(told.length);
    }
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

/**
 * Whether the best quotes of two hosts are alike, for each amount that both have: which pools they come from changes nothing for the
 * visitor. The largest amount is the depth of a pool, and another in each block.
 */
function areAlike(states: readonly PoolState[], others: readonly PoolState[]): boolean {
  const [best, othersBest] = [bestOf(states), bestOf(others)];
  if (best.has(STANDARD_ORDER_WEI) !== othersBest.has(STANDARD_ORDER_WEI)) return false;
  return [...best].every(([inWei, tokens]) => {
    const told = othersBest.get(inWei) ?? tokens;
    const [less, more] = told < tokens ? [told, tokens] : [tokens, told];
    return (more - less) * 10_000n <= more * TOLERANCE_BPS;
  });
}

/** The most tokens that any pool gives, by the amount in wei. */
function bestOf(states: readonly PoolState[]): ReadonlyMap<bigint, bigint> {
  const best = new Map<bigint, bigint>();
  for (const { inWei, tokens } of states.flatMap(({ samples }) => samples)) {
    const known = best.get(inWei);
    if (known === undefined || tokens > known) best.set(inWei, tokens);
  }
  return best;
}
