/**
 * What a step of the end has behind it: a delivery, the return of the rest, or one refund. Whoever is sent to decides whether
 * it succeeds, so it has a bounded number of attempts, pauses that grow, and an end. Source: design § 4, docs/adr/0028.
 */
export interface Attempts {
  /** Begun so far, whether the chain refused them before or after they were sent. */
  readonly count: number;
  /** Chain time at which the step began, ms. */
  readonly sinceMs: number;
  /** Chain time before which nothing is asked and nothing is sent, ms. */
  readonly nextAtMs: number;
  /** What the last look came to, in words for the receipt; null before. */
  readonly refusal: string | null;
  /** Of a delivery; absent before the first. */
  readonly lastTransfer?: LastTransfer;
}

/** What a delivery began with, by which its outcome is judged: what the token says in its event may be a lie. */
export interface LastTransfer {
  /** All that the wallet showed. */
  readonly sentTokens: bigint;
  /** What counted as delivered before it. */
  readonly deliveredTokens: bigint;
}

/** Attempts after which what is to be sent is held for an operator. */
export const MOST_ATTEMPTS = 3;

/** Time to the next attempt after each, ms: short enough for a block, long enough for a node that lags. */
const PAUSES_MS: readonly number[] = [3_000, 15_000];

/** A step that begins. @param nowMs chain time */
export function beginAttempts(nowMs: number): Attempts {
  return { count: 0, sinceMs: nowMs, nextAtMs: nowMs, refusal: null };
}

/** One more attempt. @param nowMs chain time @param refusal why it came to nothing; null while that is not known */
export function addAttempt(attempts: Attempts, nowMs: number, refusal: string | null = null): Attempts {
  const pauseMs = PAUSES_MS[Math.min(attempts.count, PAUSES_MS.length - 1)] ?? 0;
  return { ...attempts, count: attempts.count + 1, nextAtMs: nowMs + pauseMs, refusal };
}

/** Whether no further attempt is made. */
export function isExhausted({ count }: Attempts): boolean {
  return count >= MOST_ATTEMPTS;
}

/** Whether it is too early for the next one. A job that is to be stopped is not made to wait. */
export function isTooEarly({ nextAtMs }: Attempts, nowMs: number, isStopped: boolean): boolean {
  return !isStopped && nowMs < nextAtMs;
}
