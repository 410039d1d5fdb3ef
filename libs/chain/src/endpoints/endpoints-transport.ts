import { createTransport, type Transport } from 'viem';
import type { Network } from '../networks.ts';
import { Endpoint, type EndpointObserver } from './endpoint.ts';
import { EndpointChecks } from './endpoint-checks.ts';
import { EndpointPool } from './endpoint-pool.ts';
import type { RpcCall } from './request-outcome.ts';
import type { RequestLimit } from './request-window.ts';
import { SeenHeads } from './seen-heads.ts';

/** What the transport over several endpoints is made of. */
export interface EndpointsOptions extends EndpointObserver {
  readonly network: Network;
  /** Asked in this order. */
  readonly rpcUrls: readonly string[];
  /** What each endpoint allows this process, in the same order; none by default. */
  readonly limits?: readonly (RequestLimit | undefined)[];
  /** Keeps a tenth of each limit for broadcasts. */
  readonly broadcasts?: boolean;
  /** Spreads requests over a limit's span where it is half used: for who follows the chain, and not for who is asked. */
  readonly evenly?: boolean;
  /** Longest wait for one answer, ms. */
  readonly timeoutMs?: number;
  /** Longest wait for a turn within a limit, ms, as it is at the moment. */
  readonly mostWaitMs?: () => number;
  /** Further rounds over all endpoints after each has failed. */
  readonly retryCount?: number;
  /** Least time between two comparisons of the endpoints, ms; longer where limits are small. */
  readonly checkIntervalMs?: number;
}

/** What the transport offers beside requests. */
export interface EndpointsExtras extends Pick<EndpointPool, 'agreesOn' | 'hosts' | 'witnesses'> {
  /** Hosts of all configured endpoints. */
  readonly hostCount: number;
  /** A request behind all others, within half of each limit. */
  inBackground(call: RpcCall): Promise<unknown>;
}

/** Default of the longest wait for a turn within a limit, ms. */
export const MOST_WAIT_MS = 10_000;

const RESERVED_SHARE = 0.1;

/** Most of a limit that comparisons may use: a round is two requests to an endpoint. */
const CHECKS_SHARE = 0.1;
const REQUESTS_PER_CHECK = 2;

/** A viem transport over several endpoints: which is asked is the pool's to decide. */
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
  const request = (call: RpcCall) => pool.request(call);
  const extras: EndpointsExtras = {
    agreesOn: (height, hash) => pool.agreesOn(height, hash),
    hostCount: new Set(endpoints.map(({ origin }) => origin)).size,
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
