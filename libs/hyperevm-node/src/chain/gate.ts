/**
 * A lock between readers and changes of the chain. During a change anvil answers partly from the old state and partly from the
 * new one; HyperEVM never does. Readers that wait at the gate pass before it closes again.
 */
export class Gate {
  private readers = 0;
  private closed: Promise<void> | undefined;
  private lastLeft: (() => void) | undefined;

  /** Runs `ask` as soon as no change is in progress. */
  async pass<T>(ask: () => Promise<T>): Promise<T> {
    while (this.closed) await this.closed;
    this.readers++;
    try {
      return await ask();
    } finally {
      this.readers--;
      if (this.readers === 0) this.lastLeft?.();
    }
  }

  /** Runs `change` after the last reader; others wait meanwhile. One change at a time, and none from inside `pass`. */
  async close<T>(change: () => Promise<T>): Promise<T> {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    this.closed = promise;
    try {
      if (this.readers > 0) await new Promise<void>((resolve) => (this.lastLeft = resolve));
      return await change();
    } finally {
      this.lastLeft = undefined;
      this.closed = undefined;
      open();
    }
  }
}
