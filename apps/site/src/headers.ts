/** A content hash in a file's name: the content behind such a name never changes. */
const HASHED_NAME = /[.-][0-9a-f]{8,}\.[\w.]+$/;

/** How long browsers may keep a file, by its path on the site. */
export function cacheControl(path: string): string {
  return HASHED_NAME.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Headers of every response: nothing may run or be reached but the site's own files and the API. */
export function securityHeaders(apiUrl: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      `connect-src 'self' ${apiUrl}`,
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
