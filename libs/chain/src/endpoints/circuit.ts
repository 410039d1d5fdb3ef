const FAILURES_TO_OPEN = 3;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Whether an endpoint is worth asking: it opens after three failures in a row, lets one probe through after a pause that
 * doubles with each that fails, and closes with the first success. Time is the caller's, in ms.
 */
export class Circuit {
  private failures = 0;
  private probeAtMs = Number.NEGATIVE_INFINITY;

  get open(): boolean {
    return this.failures >= FAILURES_TO_OPEN;
  }

  /** Whether the pause is over, so that a probe may go out. */
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
