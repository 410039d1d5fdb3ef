const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first attempt, the second and so on, ms. The last one repeats: attempts never end. */
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
 * Returns the pause before the next attempt of an undelivered message.
 * @param attempts number of attempts so far, at least 1
 * @param wantedMs pause that the receiver requested (`Retry-After`), ms; capped at the longest pause
 * @returns ms
 */
export function pauseAfter(attempts: number, wantedMs = 0): number {
  const own = PAUSES_MS[attempts - 1] ?? LONGEST_PAUSE_MS;
  return Math.min(Math.max(own, wantedMs), LONGEST_PAUSE_MS);
}
