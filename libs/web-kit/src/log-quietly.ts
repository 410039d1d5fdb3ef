/**
 * Logs a failure that the page does not show to the browser's console, for support.
 * Source: specification § 8 (failed stats and failed job creations are only logged).
 */
export function logQuietly(what: string, reason: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification requires only a log
  console.info(`${what}:`, reason);
}
