import { normalizeIp } from '@nestjs/throttler';

/** Length of a window, ms. */
export const WINDOW_MS = 60_000;

/**
 * Under what requests are counted: the API key's name, the client and the route. The browser's key is the same for everybody,
 * hence the client's address; of an IPv6 address its network, since a client has a whole one to itself.
 * @param method of the request; HEAD counts as the GET that it stands for
 * @param route template of the route, such as '/jobs/:jobId/payment'
 * @param address of the client
 */
export function windowKey(method: string, route: string, apiKeyName: string, address: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${route} ${apiKeyName} ${normalizeIp(address)}`;
}
