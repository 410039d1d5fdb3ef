/** Time between two tries of a query, ms. */
const RETRY_MS = 10_000;

/** Time after the start of a query at which its job expires without the result, ms. */
const GIVE_UP_AFTER_MS = 60_000;

/** Progress of the HyperCore query before a job expires; times by the server's clock, ms. */
export interface SearchProgress {
  readonly firstAskedAtMs: number;
  readonly lastTriedAtMs?: number;
  /** Whether a try is in progress. */
  readonly trying: boolean;
  /** HYPE that the query found, wei. */
  readonly foundWei?: bigint;
}

/**
 * Decides the next step of a query. No failure of HyperCore's API delays a job for more than a minute.
 * Source: docs/adr/0030.
 */
export function nextOfSearch(progress: SearchProgress, nowMs: number): 'done' | 'try' | 'wait' | 'give_up' {
  if (progress.foundWei !== undefined) return 'done';
  if (nowMs - progress.firstAskedAtMs >= GIVE_UP_AFTER_MS) return 'give_up';
  if (progress.trying) return 'wait';
  return progress.lastTriedAtMs === undefined || nowMs - progress.lastTriedAtMs >= RETRY_MS ? 'try' : 'wait';
}
