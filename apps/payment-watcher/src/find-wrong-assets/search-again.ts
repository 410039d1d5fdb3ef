/** Shortest and longest time between two searches for a reported find, ms. Between them: this part of the time since the report. */
const SHORTEST_MS = 60_000;
const LONGEST_MS = 3_600_000;
const EVERY_PART = 8;

/**
 * Returns when an ended job's address is searched again for a reported find: each minute at first, to detect a return soon,
 * and each hour later. @param sinceMs time of the report, or of an operator's search
 */
export function searchAgainAt(sinceMs: number, nowMs: number): Date {
  const waitMs = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, (nowMs - sinceMs) / EVERY_PART));
  return new Date(nowMs + waitMs);
}
