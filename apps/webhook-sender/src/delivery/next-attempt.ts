const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After the first attempt, the second and so on, ms. The last comes again and again: nothing is ever given up. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
] as const;

const LONGEST_PAUSE_MS = 12 * HOUR_MS;

/**
 * The pause before the next attempt of a message that was not taken.
 * @param attempts made so far, at least 1
 * @param wantedMs what the receiver asked for (`Retry-After`), ms: never waited for longer than the longest pause
 * @returns ms
 */
export function pauseAfter(attempts: number, wantedMs = 0): number {
  const own = PAUSES_MS[attempts - 1] ?? LONGEST_PAUSE_MS;
  return Math.min(Math.max(own, wantedMs), LONGEST_PAUSE_MS);
}
