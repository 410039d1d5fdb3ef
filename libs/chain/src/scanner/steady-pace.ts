/** Schedules polls for the newest block at a fixed interval. Replaces the phase lock where requests are scarce. */
export class SteadyPace {
  /** When to poll next, ms on the caller's clock. */
  nextPollAtMs: number;
  private readonly everyMs: number;

  constructor(nowMs: number, everyMs: number) {
    this.nextPollAtMs = nowMs;
    this.everyMs = everyMs;
  }

  missed(nowMs: number): void {
    this.nextPollAtMs = nowMs + this.everyMs;
  }

  arrived(nowMs: number): boolean {
    this.nextPollAtMs = nowMs + this.everyMs;
    return false;
  }

  skipped(): void {
    // Blocks read while catching up do not show when the next block comes.
  }
}
