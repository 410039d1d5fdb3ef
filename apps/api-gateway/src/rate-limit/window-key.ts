import { normalizeIp } from '@nestjs/throttler';

/** Length of a window, ms. */
export const WINDOW_MS = 60_000;

/**
 * Key of a window: method, route, name of the API key, and address of the client. All browsers share one API key, so the address
 * is part of it. An IPv6 address counts by its network, because a client has a whole network.
 * @param method of the request; HEAD counts as GET
 * @param route template of the route, such as '/jobs/:jobId/payment'
 * @param address of the client
 */
export function windowKey(method: string, route: string, apiKeyName: string, address: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${route} ${apiKeyName} ${normalizeIp(address)}`;
}
