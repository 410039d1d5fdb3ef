const FAILURES_TO_OPEN = 3;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Circuit breaker of an endpoint: it opens after three failures in a row, and allows a probe after a pause. The pause doubles with
 * each failed probe. The first success closes it. The caller passes the time, ms.
 */
export class Circuit {
  private failures = 0;
  private probeAtMs = Number.NEGATIVE_INFINITY;

  get open(): boolean {
    return this.failures >= FAILURES_TO_OPEN;
  }

  /** Whether the pause is over, so that the caller may send a probe. */
  mayProbe(nowMs: number): boolean {
    return !this.open || nowMs >= this.probeAtMs;
  }

  failed(nowMs: number): void {
    this.failures += 1;
    if (!this.open) return;
    const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(this.failures - FAILURES_TO_OPEN, 10);
    this.probeAtMs = nowMs + Math.min(pauseMs, LONGEST_PAUSE_MS);
  }

  succeeded(): void {
    this.failures = 0;
  }
}
