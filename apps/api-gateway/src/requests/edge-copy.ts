import { createHash } from 'node:crypto';

/** Cache headers of an answer that is the same for every visitor, and the check of a cached copy. */
export interface EdgeCopy {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the client has this copy. @param ifNoneMatch header of the request */
  isHeldBy(ifNoneMatch: string | undefined): boolean;
}

/**
 * A shared cache before the gateway may serve one copy to all clients for 5 s, with any key: it has no personal data. It may serve the copy for
 * 25 s more while it revalidates. Only CDN caches get this directive (RFC 9213), because a browser would show old figures to a returning
 * visitor. A browser revalidates each time, and gets 304 if nothing changed.
 */
const KEPT = {
  'cache-control': 'public, max-age=0, s-maxage=5',
  'cdn-cache-control': 'max-age=5, stale-while-revalidate=25',
} as const;

let newest: { readonly body: string; readonly copy: EdgeCopy } | undefined;

/** @param body of the answer, mostly equal to that of the answer before */
export function edgeCopyOf(body: string): EdgeCopy {
  if (newest?.body !== body) newest = { body, copy: copyOf(body) };
  return newest.copy;
}

function copyOf(body: string): EdgeCopy {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = { ...KEPT, etag: tag };
  return {
    headers,
    // A weak comparison, because proxies that compress an answer make its tag weak.
    isHeldBy: (ifNoneMatch) =>
      ifNoneMatch?.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, ''))) ?? false,
  };
}
