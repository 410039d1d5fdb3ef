import { type ChainClient, createChainClient, verifyChainId } from './client.ts';
import type { EndpointObserver } from './endpoints/endpoint.ts';
import { MOST_WAIT_MS } from './endpoints/endpoints-transport.ts';
import { requestLimits } from './endpoints/request-limits.ts';
import type { RequestLimit } from './endpoints/request-window.ts';
import type { ChainEnvironment } from './environment.ts';
import { ChainUnavailableError } from './errors.ts';
import { verifyExchanges } from './exchange-checks/verify-exchanges.ts';
import { loadExchanges } from './exchanges/exchanges.ts';
import { type Network, networkOf } from './networks.ts';
import { Market } from './pools/market.ts';

/** A verified chain: what a service that reads it needs. */
export interface ConnectedChain {
  readonly network: Network;
  readonly client: ChainClient;
  readonly market: Market;
  /** What each endpoint allows this process; undefined where it sets no limit. */
  readonly limits: readonly (RequestLimit | undefined)[];
}

/** What a caller wants to hear of, and how long it waits for an endpoint at start. */
export interface ConnectChainOptions extends EndpointObserver {
  /** What this service may use of the endpoints' limits unless the environment says otherwise; all of them by default. */
  readonly sharePercent?: number;
  /** Whether it sends transactions, for which a part of the limits is kept. */
  readonly broadcasts?: boolean;
  /** Longest wait for a turn within a limit, ms. */
  readonly mostWaitMs?: number;
  /** Called before another try because the endpoint did not answer. */
  readonly onUnavailable?: (error: ChainUnavailableError, attempt: number) => void;
  /** Tries before it gives up; a second between two of them. */
  readonly attempts?: number;
}

const DELAY_MS = 1000;

/** Longest wait for a turn within a limit while exchanges are checked, ms: no visitor waits, and a small limit takes its minute. */
const MOST_WAIT_AT_START_MS = 60_000;

/**
 * Connects to the configured chain and checks all that the registry says of it, once, at start.
 * @throws WrongChainError, WrongExchangeError, InvalidExchangesError, UnknownNetworkError, RequestLimitsError: the
 *   configuration is wrong
 * @throws ChainUnavailableError after the last try
 */
export async function connectChain(
  environment: ChainEnvironment,
  {
    onUnavailable,
    attempts = 30,
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
  for (let attempt = 1; ; attempt += 1) {
    try {
      await verifyChainId(client, network.chainId);
      const market = new Market(client, await verifyExchanges(client, exchanges));
      waitMs = mostWaitMs;
      return { network, client, limits, market };
    } catch (error) {
      if (!(error instanceof ChainUnavailableError) || attempt >= attempts) throw error;
      onUnavailable?.(error, attempt);
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    }
  }
}
