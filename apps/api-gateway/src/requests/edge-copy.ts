import { createHash } from 'node:crypto';

/** What an answer that is the same for every visitor says to caches on its way, and when it need not be sent again. */
export interface EdgeCopy {
  readonly headers: Readonly<Record<string, string>>;
  /** @param asked the request's `If-None-Match` */
  isHeldBy(asked: string | undefined): boolean;
}

/**
 * A cache in front of the gateway may answer everybody with one copy for five seconds, whoever's key it was asked with: nothing in it is anybody's. While it asks
 * for the next it may answer 25 seconds longer; that is said to caches of ours only (RFC 9213), or a browser that comes back to the landing page
 * would show its visitor what was before. A browser asks each time, and is told when nothing changed.
 */
const KEPT = {
  'cache-control': 'public, max-age=0, s-maxage=5',
  'cdn-cache-control': 'max-age=5, stale-while-revalidate=25',
} as const;

let newest: { readonly body: string; readonly copy: EdgeCopy } | undefined;

/** @param body of the answer, which most of the time is that of the answer before */
export function edgeCopyOf(body: string): EdgeCopy {
  if (newest?.body !== body) newest = { body, copy: copyOf(body) };
  return newest.copy;
}

function copyOf(body: string): EdgeCopy {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = { ...KEPT, etag: tag };
  return {
    headers,
    // Compared weakly: who compresses an answer on its way marks the tag so.
    isHeldBy: (asked) =>
      asked?.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, ''))) ?? false,
  };
}
