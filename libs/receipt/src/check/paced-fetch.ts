/**
 * Returns a `fetch` that spreads its requests evenly and keeps a limit per minute.
 * @param requestsPerMinute absent: no limit
 */
export function pacedFetch(requestsPerMinute: number | undefined): typeof fetch {
  if (requestsPerMinute === undefined) return (input, init) => fetch(input, init);
  const gapMs = 60_000 / requestsPerMinute;
  let nextAtMs = 0;
  return async (input, init) => {
    const now = performance.now();
    const atMs = Math.max(now, nextAtMs);
    nextAtMs = atMs + gapMs;
    await wait(atMs - now, init?.signal);
    return fetch(input, init);
  };
}

/** @throws the signal's reason if it is aborted */
function wait(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
