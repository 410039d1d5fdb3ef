/**
 * Calls for a round at each multiple of the interval on the machine's clock, one at a time. If a round takes longer than
 * the interval, the clock skips the missed rounds.
 */
export class BlockClock {
  private readonly round: () => Promise<void>;
  private interval = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param round must not reject */
  constructor(round: () => Promise<void>) {
    this.round = round;
  }

  /** Milliseconds between rounds; 0 runs none by the clock. */
  get intervalMs(): number {
    return this.interval;
  }

  set intervalMs(interval: number) {
    this.interval = interval;
    this.wait();
  }

  private wait(): void {
    clearTimeout(this.timer);
    if (this.interval === 0) return;
    const interval = this.interval;
    this.timer = setTimeout(
      async () => {
        await this.round();
        // A command may have changed the interval meanwhile and set its own timer.
        if (this.interval === interval) this.wait();
      },
      interval - (Date.now() % interval),
    );
  }
}
