import { createTransport, type Transport } from 'viem';
import type { Network } from '../networks.ts';
import { rpcMethod } from '../rpc-methods.ts';
import { Endpoint, type EndpointObserver } from './endpoint.ts';
import { EndpointChecks } from './endpoint-checks.ts';
import { EndpointPool } from './endpoint-pool.ts';
import { hostOf } from './host-of.ts';
import type { RpcCall } from './request-outcome.ts';
import type { RequestLimit } from './request-window.ts';
import { SeenHeads } from './seen-heads.ts';

/** Settings of the transport over several endpoints. */
export interface EndpointsOptions extends EndpointObserver {
  readonly network: Network;
  /** In the order of use. */
  readonly rpcUrls: readonly string[];
  /** The limit of each endpoint for this process, in the same order; none by default. */
  readonly limits?: readonly (RequestLimit | undefined)[];
  /** Reserves a tenth of each limit for broadcasts. */
  readonly broadcasts?: boolean;
  /** Spreads requests over a limit's span once it is half used: for processes that follow the chain, not for those that answer requests. */
  readonly evenly?: boolean;
  /** Longest wait for one answer, ms. */
  readonly timeoutMs?: number;
  /** Returns the current longest wait for a turn within a limit, ms. */
  readonly mostWaitMs?: () => number;
  /** Further rounds over all endpoints after all have failed. */
  readonly retryCount?: number;
  /** Shortest time between two comparisons of the endpoints, ms; longer where limits are small. */
  readonly checkIntervalMs?: number;
}

/** Further functions of the transport. */
export interface EndpointsExtras extends Pick<EndpointPool, 'hosts' | 'witnesses'> {
  /** Number of hosts of all configured endpoints. */
  readonly hostCount: number;
  /** Sends a request with the lowest priority, within half of each limit. */
  inBackground(call: RpcCall): Promise<unknown>;
}

/** Default of the longest wait for a turn within a limit, ms. */
export const MOST_WAIT_MS = 10_000;

const RESERVED_SHARE = 0.1;

/** Largest share of a limit for comparisons: a round is two requests to an endpoint. */
const CHECKS_SHARE = 0.1;
const REQUESTS_PER_CHECK = 2;

/** Creates a viem transport over several endpoints; {@link EndpointPool} chooses the endpoint of each request. */
export function endpointsTransport(options: EndpointsOptions): Transport {
  const { network, rpcUrls, limits = [], timeoutMs = 5000, mostWaitMs = () => MOST_WAIT_MS, retryCount = 1 } = options;
  const endpoints = rpcUrls.map((url, position) => {
    const limit = limits[position];
    const reserved = limit && options.broadcasts ? Math.ceil(limit.requests * RESERVED_SHARE) : 0;
    const shape = { reserved, evenly: options.evenly ?? false };
    return new Endpoint({ position, url, chainId: network.chainId, limit, shape, timeoutMs }, options);
  });
  const seen = new SeenHeads();
  const intervalMs = Math.max(options.checkIntervalMs ?? 10_000, ...limits.map(checkIntervalOf));
  const checks = new EndpointChecks({ endpoints, seen, blockTimeMs: network.blockTimeMs, intervalMs });
  const pool = new EndpointPool({ chainId: network.chainId, endpoints, checks, seen, retryCount, mostWaitMs });
  const request = (call: RpcCall) => {
    // viem's own actions call methods by text.
    rpcMethod(call.method);
    return pool.request(call);
  };
  const extras: EndpointsExtras = {
    hostCount: new Set(rpcUrls.map(hostOf)).size,
    hosts: () => pool.hosts(),
    witnesses: () => pool.witnesses(),
    inBackground: (call) => pool.request(call, 'background'),
  };
  return () =>
    createTransport(
      { key: 'endpoints', name: 'RPC endpoints', type: 'endpoints', retryCount: 0, request: request as never },
      extras,
    );
}

function checkIntervalOf(limit: RequestLimit | undefined): number {
  return limit ? (REQUESTS_PER_CHECK * limit.perMs) / (CHECKS_SHARE * limit.requests) : 0;
}
