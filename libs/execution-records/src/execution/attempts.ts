/**
 * The attempts of one last step: a delivery, the return of the rest, or one refund. The recipient can make a transfer fail, so the
 * number of attempts is limited and the pauses between them grow. Source: design § 4, docs/adr/0028.
 */
export interface Attempts {
  /** Attempts so far, including those that failed before they were sent. */
  readonly count: number;
  /** Chain time at which the step began, ms. */
  readonly sinceMs: number;
  /** Chain time before which the executor asks and sends nothing, ms. */
  readonly nextAtMs: number;
  /** Why the last attempt failed, as text for the receipt; null while that is not known. */
  readonly refusal: string | null;
  /** Only of a delivery; absent before its first transfer. */
  readonly lastTransfer?: LastTransfer;
}

/** Balances before a delivery. They decide its outcome, because the token's events may be false. */
export interface LastTransfer {
  /** The wallet's tokens before it. */
  readonly sentTokens: bigint;
  /** Tokens counted as delivered before it. */
  readonly deliveredTokens: bigint;
}

/** After this many attempts the money is held for an operator. */
export const MOST_ATTEMPTS = 3;

/** Pause after each attempt, ms: the first allows for a block, the second for a node that lags. */
const PAUSES_MS: readonly number[] = [3_000, 15_000];

/** The state of a step before its first attempt. @param nowMs chain time */
export function beginAttempts(nowMs: number): Attempts {
  return { count: 0, sinceMs: nowMs, nextAtMs: nowMs, refusal: null };
}

/** Counts one more attempt. @param nowMs chain time @param refusal why it failed; null while that is not known */
export function addAttempt(attempts: Attempts, nowMs: number, refusal: string | null = null): Attempts {
  const pauseMs = PAUSES_MS[Math.min(attempts.count, PAUSES_MS.length - 1)] ?? 0;
  return { ...attempts, count: attempts.count + 1, nextAtMs: nowMs + pauseMs, refusal };
}

/** Whether no attempt is left. */
export function isExhausted({ count }: Attempts): boolean {
  return count >= MOST_ATTEMPTS;
}

/** Whether the next attempt must still wait. A job that is being stopped never waits. */
export function isTooEarly({ nextAtMs }: Attempts, nowMs: number, isStopped: boolean): boolean {
  return !isStopped && nowMs < nextAtMs;
}
