/**
 * Between those who ask about the chain and what changes it: anvil answers from the midst of a change, by the old state in one
 * part and by the new one in another, and HyperEVM never does. Whoever waits at the gate comes in before it is closed again.
 */
export class Gate {
  private asking = 0;
  private closed: Promise<void> | undefined;
  private lastLeft: (() => void) | undefined;

  /** Asks as soon as nothing changes. */
  async pass<T>(ask: () => Promise<T>): Promise<T> {
    while (this.closed) await this.closed;
    this.asking++;
    try {
      return await ask();
    } finally {
      this.asking--;
      if (this.asking === 0) this.lastLeft?.();
    }
  }

  /** Changes the chain once nobody asks, and has others wait meanwhile. One change at a time, and none from inside `pass`. */
  async close<T>(change: () => Promise<T>): Promise<T> {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    this.closed = promise;
    try {
      if (this.asking > 0) await new Promise<void>((resolve) => (this.lastLeft = resolve));
      return await change();
    } finally {
      this.lastLeft = undefined;
      this.closed = undefined;
      open();
    }
  }
}
