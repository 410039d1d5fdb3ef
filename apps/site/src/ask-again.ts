import type { ServerResponse } from 'node:http';
import { isOfOneBuild } from './headers.ts';

/** Browsers follow 20 redirects. */
const MOST_REDIRECTS = 15;
const COUNT = 'again';

/**
 * Redirects a request for a file of another build to itself, on a new connection: during a roll-out, the other replicas have it
 * (docs/adr/0153). @param url path and query of the request @returns false for any other file, and after 15 redirects
 */
export function askAgain(url: string, response: ServerResponse): boolean {
  const [path = '', query] = url.split('?');
  const count = Number(new URLSearchParams(query).get(COUNT) ?? 0);
  if (!isOfOneBuild(path) || !(count >= 0 && count < MOST_REDIRECTS)) return false;
  const location = `${path}?${COUNT}=${count + 1}`;
  response.writeHead(307, { location, 'cache-control': 'no-store', connection: 'close' }).end();
  return true;
}
