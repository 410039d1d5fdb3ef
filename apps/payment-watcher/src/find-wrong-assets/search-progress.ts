/** Time between two tries of a look, ms. */
const RETRY_MS = 10_000;

/** From the first try on, ms: after that a job expires without a look. */
const GIVE_UP_AFTER_MS = 60_000;

/** How far a look is that is made before a job expires; times of the server, ms. */
export interface SearchProgress {
  readonly firstAskedAtMs: number;
  readonly lastTriedAtMs?: number;
  /** Whether a try is under way. */
  readonly trying: boolean;
  /** What was found, wei. */
  readonly foundWei?: bigint;
}

/**
 * What is done about a look now. A failure of HyperCore's API never holds a job for longer than a minute, whatever it is.
 * Source: docs/adr/0030.
 */
export function nextOfSearch(look: SearchProgress, nowMs: number): 'done' | 'try' | 'wait' | 'give_up' {
  if (look.foundWei !== undefined) return 'done';
  if (nowMs - look.firstAskedAtMs >= GIVE_UP_AFTER_MS) return 'give_up';
  if (look.trying) return 'wait';
  return look.lastTriedAtMs === undefined || nowMs - look.lastTriedAtMs >= RETRY_MS ? 'try' : 'wait';
}
