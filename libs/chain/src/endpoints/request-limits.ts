import { z } from 'zod';
import type { Network } from '../networks.ts';
import type { RequestLimit } from './request-window.ts';

const MINUTE_MS = 60_000;

/** Environment of the limits of endpoints: spread it into the schema of a service that reads the chain. */
export const requestLimitsEnvironment = {
  /**
   * Requests a minute that the plan of each endpoint allows, in the order of `CHAIN_RPC_URLS`; 0 is no limit. An empty or missing
   * place is the default: 100 for HyperEVM's public endpoints, none for others. Source: hyperevm § 1.
   */
  CHAIN_RPC_REQUESTS_PER_MINUTE: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((place) => place.trim()))
    .pipe(z.array(z.union([z.literal('').transform(() => undefined), z.string().regex(/^\d+$/).transform(Number)]))),
  /** What this process may use of those limits, since providers count all processes behind an address or a key together. */
  CHAIN_RPC_SHARE_PERCENT: z.coerce.number().int().min(1).max(100).optional(),
};

/** What {@link requestLimitsEnvironment} parses to, and the endpoints that it is about. */
export interface RequestLimitsSource extends z.infer<z.ZodObject<typeof requestLimitsEnvironment>> {
  readonly CHAIN_RPC_URLS: readonly string[];
}

/** There are more limits than endpoints. */
export class RequestLimitsError extends Error {
  readonly code = 'INVALID_REQUEST_LIMITS';

  constructor(limits: number, endpoints: number) {
    super(`CHAIN_RPC_REQUESTS_PER_MINUTE has ${limits} places, but CHAIN_RPC_URLS has ${endpoints} endpoints`);
    this.name = 'RequestLimitsError';
  }
}

/**
 * The limit of each endpoint for one process, in the order of the configuration; undefined where there is none.
 * @param usualSharePercent of the service, where the environment does not say otherwise
 * @throws RequestLimitsError
 */
export function requestLimits(
  network: Network,
  source: RequestLimitsSource,
  usualSharePercent: number,
): readonly (RequestLimit | undefined)[] {
  const { CHAIN_RPC_URLS: urls, CHAIN_RPC_REQUESTS_PER_MINUTE: configured } = source;
  if (configured.length > urls.length) throw new RequestLimitsError(configured.length, urls.length);
  const share = (source.CHAIN_RPC_SHARE_PERCENT ?? usualSharePercent) / 100;
  return urls.map((url, position) => {
    const perMinute = configured[position] ?? usualLimit(network, url);
    return perMinute ? { requests: Math.max(Math.floor(perMinute * share), 1), perMs: MINUTE_MS } : undefined;
  });
}

function usualLimit({ publicRpc }: Network, url: string): number | undefined {
  return publicRpc?.host === new URL(url).hostname ? publicRpc.requestsPerMinute : undefined;
}

/** Requests for each new block below which the head is followed with as few of them as possible. */
const ENOUGH_PER_BLOCK = 2;

/** Requests that all limits together allow for each block; infinite where an endpoint has none. */
function requestsPerBlock(limits: readonly (RequestLimit | undefined)[], { blockTimeMs }: Network): number {
  return limits.reduce(
    (sum, limit) => sum + (limit ? (limit.requests * blockTimeMs) / limit.perMs : Number.POSITIVE_INFINITY),
    0,
  );
}

/** Whether following the head must spare requests: none that asks in vain for a block that is not there yet. */
export function mustSpareRequests(limits: readonly (RequestLimit | undefined)[], network: Network): boolean {
  return requestsPerBlock(limits, network) < ENOUGH_PER_BLOCK;
}

/** Part of the endpoints' limits that following the head may use; the rest is for what is done at a head. */
const SHARE_FOR_HEADS = 0.5;

/**
 * Time between two requests for the head where the endpoints' limits do not allow one for each block, ms; undefined where they do.
 * A wallet then has fewer ticks, and what is mined in between is found by its hash.
 */
export function sparingPace(limits: readonly (RequestLimit | undefined)[], network: Network): number | undefined {
  if (!mustSpareRequests(limits, network)) return undefined;
  return Math.max(network.blockTimeMs / (requestsPerBlock(limits, network) * SHARE_FOR_HEADS), network.blockTimeMs);
}
