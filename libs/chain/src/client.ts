import {
  createPublicClient,
  fallback,
  type HttpTransport,
  http,
  type PublicClient,
  TimeoutError,
  type Transport,
  type Chain as ViemChain,
} from 'viem';
import { ChainUnavailableError, WrongChainError } from './errors.ts';
import { type Network, viemChain } from './networks.ts';

/** A viem client of one network. */
export type ChainClient = PublicClient<Transport, ViemChain>;

/** How a request ended; a closed set, fit for a metric's label. */
export type RequestOutcome = 'ok' | 'reverted' | 'rate_limited' | 'timeout' | 'error';

/** Called after each attempt at a request. @param ms time it took, ms @param endpoint index in `rpcUrls` */
export type RequestObserver = (method: string, outcome: RequestOutcome, ms: number, endpoint: number) => void;

/** What a client is made of. */
export interface ChainClientOptions {
  readonly network: Network;
  /** Tried in this order. */
  readonly rpcUrls: readonly string[];
  readonly onRequest?: RequestObserver;
  /** Longest wait for one answer, ms. */
  readonly timeoutMs?: number;
  /** Further rounds over all endpoints after the first failed. */
  readonly retryCount?: number;
}

/**
 * A client over one or more RPC endpoints: the next is asked when one fails. JSON-RPC batching stays off, since most
 * rate limits count a batch per call; many reads go into one `eth_call` instead ({@link queryAll}).
 */
export function createChainClient(options: ChainClientOptions): ChainClient {
  return createPublicClient({
    chain: viemChain(options.network),
    transport: endpointsTransport(options),
    pollingInterval: options.network.blockTimeMs,
  });
}

/** The one place that decides which endpoint is asked. */
function endpointsTransport({ rpcUrls, onRequest, timeoutMs = 5000, retryCount = 1 }: ChainClientOptions): Transport {
  const endpoints = rpcUrls.map((url, index) => observed(endpoint(url, timeoutMs), index, onRequest));
  return fallback(endpoints, { retryCount, rank: false });
}

/**
 * Errors carry the URL they were asked at, and a provider's URL often holds its key: viem is told the origin only.
 */
function endpoint(url: string, timeoutMs: number): HttpTransport {
  const target = new URL(url);
  const { username, password } = target;
  target.username = '';
  target.password = '';
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return http(target.origin, {
    batch: false,
    timeout: timeoutMs,
    retryCount: 0,
    ...(username && { fetchOptions: { headers: { authorization: `Basic ${credentials}` } } }),
    fetchFn: (_origin, init) => fetch(target, init),
  });
}

function observed(transport: Transport, index: number, onRequest: RequestObserver | undefined): Transport {
  if (!onRequest) return transport;
  return (parameters) => {
    const inner = transport(parameters);
    const request = async (call: { method: string; params?: unknown }, options?: unknown): Promise<unknown> => {
      const startedAt = performance.now();
      const report = (outcome: RequestOutcome) => onRequest(call.method, outcome, performance.now() - startedAt, index);
      try {
        const answer = await (inner.request as (call: unknown, options?: unknown) => Promise<unknown>)(call, options);
        report('ok');
        return answer;
      } catch (error) {
        report(outcomeOf(error));
        throw error;
      }
    };
    return { ...inner, request: request as typeof inner.request };
  };
}

const REVERT_CODE = 3;
const LIMIT_CODE = -32005;

function outcomeOf(error: unknown): RequestOutcome {
  if (error instanceof TimeoutError) return 'timeout';
  const { code, status, message = '' } = error as { code?: number; status?: number; message?: string };
  if (status === 429 || code === LIMIT_CODE) return 'rate_limited';
  if (code === REVERT_CODE || /execution reverted/i.test(message)) return 'reverted';
  return 'error';
}

/**
 * Pins the chain: asks the endpoint for its chain id.
 * @throws WrongChainError when it serves another one
 * @throws ChainUnavailableError when it does not answer
 */
export async function verifyChainId(client: ChainClient, chainId: number): Promise<void> {
  const actual = await client.getChainId().catch((error: unknown) => {
    throw new ChainUnavailableError('read the chain id', error);
  });
  if (actual !== chainId) throw new WrongChainError(chainId, actual);
}
