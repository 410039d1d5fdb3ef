/** Shortest and longest time between two searches for what was told, ms; between them, this part of the time since it was told. */
const SHORTEST_MS = 60_000;
const LONGEST_MS = 3_600_000;
const EVERY_PART = 8;

/**
 * When an ended job's address is searched again for what was told of it: each minute at first, so that a return is noticed soon,
 * and each hour in the end. @param sinceMs when it was told, or an operator searched
 */
export function searchAgainAt(sinceMs: number, nowMs: number): Date {
  const waitMs = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, (nowMs - sinceMs) / EVERY_PART));
  return new Date(nowMs + waitMs);
}
