/** A content hash in a file's name: the content of such a file never changes. */
const HASHED_NAME = /[.-][0-9a-f]{8,}\.[\w.]+$/;

/** Whether a path names a file of one build only. */
export function isOfOneBuild(path: string): boolean {
  return HASHED_NAME.test(path);
}

/** How long browsers may cache a file, by its path on the site. */
export function cacheControl(path: string): string {
  return isOfOneBuild(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/**
 * Headers of every response. A page may run only the site's own files, and connect only to the site and one other source.
 * @param reached that source: the API's address; for the page that checks receipts, `https:`
 */
export function securityHeaders(reached: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      `connect-src 'self' ${reached}`,
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
