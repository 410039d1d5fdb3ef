/** Runs work of one key in order, and work of different keys in parallel. */
export class KeyedQueue {
  /** The last piece of each key. */
  private readonly tails = new Map<string, Promise<void>>();
  private readonly running = new Set<Promise<void>>();

  /** Number of waiting and running pieces of work, of all keys. */
  get size(): number {
    return this.running.size;
  }

  /** @param work never rejects */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const done = (this.tails.get(key) ?? Promise.resolve()).then(work).finally(() => {
      if (this.tails.get(key) === done) this.tails.delete(key);
      this.running.delete(done);
    });
    this.tails.set(key, done);
    this.running.add(done);
    return done;
  }

  /** Resolves when one piece of work has ended. */
  async next(): Promise<void> {
    await Promise.race(this.running);
  }

  /** Resolves when no work waits or runs. */
  async idle(): Promise<void> {
    while (this.size > 0) await Promise.all(this.running);
  }
}
