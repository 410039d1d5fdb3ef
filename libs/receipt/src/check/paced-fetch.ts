/**
 * `fetch` that begins no more requests in a minute than an endpoint allows, evenly spread.
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

/** @throws the signal's reason when it is given up meanwhile */
function wait(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
