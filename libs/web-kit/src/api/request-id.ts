/**
 * Creates an id of 128 random bits in hexadecimal, for `X-Request-Id` and for idempotency keys.
 * Not `crypto.randomUUID`: browsers offer it only to pages served by HTTPS or from localhost.
 */
export function createRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
