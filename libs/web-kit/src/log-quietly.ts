/**
 * Writes a failure that the visitor is not told of to the browser's console, for support.
 * Source: specification § 8 (failed stats and failed job creations are only logged).
 */
export function logQuietly(what: string, reason: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification asks for a log and nothing else
  console.info(`${what}:`, reason);
}
