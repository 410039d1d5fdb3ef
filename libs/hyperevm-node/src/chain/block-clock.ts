/**
 * Calls for a round at each multiple of the interval on the machine's clock, one at a time; an interval that a slow round
 * took is left out.
 */
export class BlockClock {
  readonly #round: () => Promise<void>;
  #intervalMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param round must not reject */
  constructor(round: () => Promise<void>) {
    this.#round = round;
  }

  /** Milliseconds between rounds; 0 when they come on demand only. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  set intervalMs(interval: number) {
    this.#intervalMs = interval;
    this.#wait();
  }

  stop(): void {
    this.intervalMs = 0;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#intervalMs === 0) return;
    const interval = this.#intervalMs;
    this.#timer = setTimeout(
      async () => {
        await this.#round();
        // A command may have changed the interval, and set a timer of its own, in the meantime.
        if (this.#intervalMs === interval) this.#wait();
      },
      interval - (Date.now() % interval),
    );
  }
}
