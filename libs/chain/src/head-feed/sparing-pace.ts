import type { ConnectedChain } from '../connect-chain.ts';
import { mustSpareRequests, requestsPerBlock } from '../endpoints/request-limits.ts';

/** Part of the endpoints' limits that following the head may use; the rest is for what is done at a head. */
const SHARE_FOR_HEADS = 0.5;

/**
 * Time between two requests for the head where the endpoints' limits do not allow one for each block, ms; undefined where they do.
 * A wallet then has fewer ticks, and what is mined in between is found by its hash.
 */
export function sparingPace(limits: ConnectedChain['limits'], network: ConnectedChain['network']): number | undefined {
  if (!mustSpareRequests(limits, network)) return undefined;
  return Math.max(network.blockTimeMs / (requestsPerBlock(limits, network) * SHARE_FOR_HEADS), network.blockTimeMs);
}
