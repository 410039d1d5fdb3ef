/** Says when to ask for the newest block: every so often, whatever came of it. Stands in for the phase lock where requests are scarce. */
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
    // What was caught up says nothing of when the next block comes.
  }
}
