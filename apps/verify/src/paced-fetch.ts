import { setTimeout } from 'node:timers/promises';

/**
 * `fetch` that begins no more requests in a minute than an endpoint allows, evenly spread.
 * @param requestsPerMinute absent: no limit
 */
export function pacedFetch(requestsPerMinute: number | undefined): typeof fetch {
  if (requestsPerMinute === undefined) return fetch;
  const gapMs = 60_000 / requestsPerMinute;
  let nextAtMs = 0;
  return async (input, init) => {
    const now = performance.now();
    const atMs = Math.max(now, nextAtMs);
    nextAtMs = atMs + gapMs;
    await setTimeout(atMs - now, undefined, init?.signal ? { signal: init.signal } : {});
    return fetch(input, init);
  };
}
