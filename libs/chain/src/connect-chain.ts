import { type ChainClient, createChainClient, verifyChainId } from './client.ts';
import type { EndpointObserver } from './endpoints/endpoint.ts';
import { MOST_WAIT_MS } from './endpoints/endpoints-transport.ts';
import { requestLimits } from './endpoints/request-limits.ts';
import type { RequestLimit } from './endpoints/request-window.ts';
import type { ChainEnvironment } from './environment.ts';
import { ChainUnavailableError } from './errors.ts';
import { type ExchangeObserver, ExchangeWatch } from './exchange-checks/exchange-watch.ts';
import { loadExchanges } from './exchanges/load-exchanges.ts';
import { type Network, networkOf } from './networks.ts';
import { Market } from './pools/market.ts';

/** A verified chain: what a service that reads it needs. */
export interface ConnectedChain {
  readonly network: Network;
  readonly client: ChainClient;
  readonly market: Market;
  /** What each endpoint allows this process; undefined where it sets no limit. */
  readonly limits: readonly (RequestLimit | undefined)[];
  /** Ends the later checks of exchanges. */
  stop(): void;
}

/** What a caller wants to hear of, and how long it waits for an endpoint at start. */
export interface ConnectChainOptions extends EndpointObserver, ExchangeObserver {
  /** What this service may use of the endpoints' limits unless the environment says otherwise; all of them by default. */
  readonly sharePercent?: number;
  /** Whether it sends transactions, for which a part of the limits is kept. */
  readonly broadcasts?: boolean;
  /** Longest wait for a turn within a limit, ms. */
  readonly mostWaitMs?: number;
  /** Called before another try because the endpoint did not answer. */
  readonly onUnavailable?: (error: ChainUnavailableError, attempt: number) => void;
  /** Called when a later check of the exchanges could not be made, before the next. */
  readonly onCheckFailed?: (error: unknown) => void;
}

/** Tries before it gives up, and the time between two of them, ms. */
const ATTEMPTS = 30;
const DELAY_MS = 1000;

/** Time between two later checks of the exchanges, ms. One request each time, where nothing is set aside. */
const CHECK_EVERY_MS = 5 * 60_000;

/** Longest wait for a turn within a limit while exchanges are checked, ms: no visitor waits, and a small limit takes its minute. */
const MOST_WAIT_AT_START_MS = 60_000;

/**
 * Connects to the configured chain and checks all that the registry says of it, at start and every few minutes: an exchange that
 * is not what the registry says is set aside until it is. Later, with none left, the market is empty, so that jobs still end.
 * @throws WrongChainError, NoExchangeLeftError, InvalidExchangesError, UnknownNetworkError, RequestLimitsError: the
 *   configuration is wrong
 * @throws ChainUnavailableError after the last try
 */
export async function connectChain(
  environment: ChainEnvironment,
  {
    onUnavailable,
    onExchange,
    onCheckFailed,
    sharePercent = 100,
    mostWaitMs = MOST_WAIT_MS,
    ...endpoints
  }: ConnectChainOptions = {},
): Promise<ConnectedChain> {
  const network = networkOf(environment.CHAIN_ID);
  const exchanges = loadExchanges(environment.CHAIN_ID, environment.CHAIN_EXCHANGES_FILE);
  const limits = requestLimits(network, environment, sharePercent);
  let waitMs = MOST_WAIT_AT_START_MS;
  const client = createChainClient({
    ...endpoints,
    network,
    rpcUrls: environment.CHAIN_RPC_URLS,
    limits,
    mostWaitMs: () => waitMs,
  });
  const watch = new ExchangeWatch(client, exchanges, { ...(onExchange && { onExchange }) });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await verifyChainId(client, network.chainId);
      const market = new Market(client, await watch.start());
      waitMs = mostWaitMs;
      const timer = setInterval(() => {
        watch.check().then((inUse) => market.use(inUse), onCheckFailed);
      }, CHECK_EVERY_MS).unref();
      return { network, client, limits, market, stop: () => clearInterval(timer) };
    } catch (error) {
      if (!(error instanceof ChainUnavailableError) || attempt >= ATTEMPTS) throw error;
      onUnavailable?.(error, attempt);
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    }
  }
}
