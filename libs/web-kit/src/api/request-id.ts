/** Creates an id of 128 random bits in hexadecimal, for `X-Request-Id`. */
export function createRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
