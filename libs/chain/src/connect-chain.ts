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

/** A verified chain, and the objects that a service needs to read it. */
export interface ConnectedChain {
  readonly network: Network;
  readonly client: ChainClient;
  readonly market: Market;
  /** The limit of each endpoint for this process; undefined where it has none. */
  readonly limits: readonly (RequestLimit | undefined)[];
  /** Stops the periodic checks of exchanges. */
  stop(): void;
}

/** Callbacks of the caller, and its limits for requests and waits. */
export interface ConnectChainOptions extends EndpointObserver, ExchangeObserver {
  /** Share of the endpoints' limits for this service, where the environment sets none; 100 by default. */
  readonly sharePercent?: number;
  /** Whether the service sends transactions: the client reserves a part of the limits for them. */
  readonly broadcasts?: boolean;
  /** Longest wait for a turn within a limit, ms. */
  readonly mostWaitMs?: number;
  /** Called before each retry after an endpoint did not answer. */
  readonly onUnavailable?: (error: ChainUnavailableError, attempt: number) => void;
  /** Called when a periodic check of the exchanges failed. */
  readonly onCheckFailed?: (error: unknown) => void;
}

/** Attempts at start, and the time between two of them, ms. */
const ATTEMPTS = 30;
const DELAY_MS = 1000;

/** Time between two periodic checks of the exchanges, ms. Each takes one request, where no exchange is set aside. */
const CHECK_EVERY_MS = 5 * 60_000;

/** Longest wait for a turn within a limit during the first check, ms: no visitor waits, and a small limit may need a whole minute. */
const MOST_WAIT_AT_START_MS = 60_000;

/**
 * Connects to the configured chain. Checks the exchanges of the registry at start and every five minutes, and sets aside each that
 * differs, until it matches again. If a later check leaves none, the market is empty: running jobs can still end.
 * @throws WrongChainError, NoExchangeLeftError, InvalidExchangesError, UnknownNetworkError, RequestLimitsError: the
 *   configuration is wrong
 * @throws ChainUnavailableError after the last attempt
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
