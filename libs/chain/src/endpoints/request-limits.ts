import { z } from 'zod';
import type { Network } from '../networks.ts';
import type { RequestLimit } from './request-window.ts';

const MINUTE_MS = 60_000;

/** Environment of the limits of endpoints: spread it into the schema of a service that reads the chain. */
export const requestLimitsEnvironment = {
  /**
   * Requests a minute that your plan with each endpoint allows, in the order of `CHAIN_RPC_URLS`; 0 is no limit. An empty or missing
   * value means the default: 100 for HyperEVM's public endpoints, none for others. Source: hyperevm § 1.
   */
  CHAIN_RPC_REQUESTS_PER_MINUTE: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((place) => place.trim()))
    .pipe(z.array(z.union([z.literal('').transform(() => undefined), z.string().regex(/^\d+$/).transform(Number)]))),
  /** Share of those limits for this process: providers count all processes behind one address or key together. */
  CHAIN_RPC_SHARE_PERCENT: z.coerce.number().int().min(1).max(100).optional(),
};

/** The parsed form of {@link requestLimitsEnvironment}, and its endpoints. */
export interface RequestLimitsSource extends z.infer<z.ZodObject<typeof requestLimitsEnvironment>> {
  readonly CHAIN_RPC_URLS: readonly string[];
}

/** The configuration has more limits than endpoints. */
export class RequestLimitsError extends Error {
  readonly code = 'INVALID_REQUEST_LIMITS';

  constructor(limits: number, endpoints: number) {
    super(`CHAIN_RPC_REQUESTS_PER_MINUTE has ${limits} places, but CHAIN_RPC_URLS has ${endpoints} endpoints`);
    this.name = 'RequestLimitsError';
  }
}

/**
 * The limit of each endpoint for one process, in the order of the configuration; undefined where there is none.
 * @param usualSharePercent the service's share, where the environment sets none
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

/** Requests for each new block; with fewer, readers follow the head in the sparing mode. */
const ENOUGH_PER_BLOCK = 2;

/** Requests that all limits together allow for each block; infinite where an endpoint has no limit. */
function requestsPerBlock(limits: readonly (RequestLimit | undefined)[], { blockTimeMs }: Network): number {
  return limits.reduce(
    (sum, limit) => sum + (limit ? (limit.requests * blockTimeMs) / limit.perMs : Number.POSITIVE_INFINITY),
    0,
  );
}

/** Whether readers must follow the head without futile requests for a block that does not exist yet. */
export function mustSpareRequests(limits: readonly (RequestLimit | undefined)[], network: Network): boolean {
  return requestsPerBlock(limits, network) < ENOUGH_PER_BLOCK;
}

/** Share of the endpoints' limits for following the head; the rest is for the work at each head. */
const SHARE_FOR_HEADS = 0.5;

/**
 * Time between two requests for the head in the sparing mode, ms; undefined where limits allow the normal mode.
 * A wallet then has fewer ticks, and its transactions mined in between are found by their hash.
 */
export function sparingPace(limits: readonly (RequestLimit | undefined)[], network: Network): number | undefined {
  if (!mustSpareRequests(limits, network)) return undefined;
  return Math.max(network.blockTimeMs / (requestsPerBlock(limits, network) * SHARE_FOR_HEADS), network.blockTimeMs);
}
