/** Runs work of one key in order, and work of different keys in parallel. */
export class KeyedQueue {
  private readonly tails = new Map<string, { last: Promise<void>; waiting: number }>();
  private readonly running = new Set<Promise<void>>();

  /** Number of waiting and running pieces of work, of all keys. */
  get size(): number {
    return this.running.size;
  }

  /** Number of waiting and running pieces of work of a key. */
  waiting(key: string): number {
    return this.tails.get(key)?.waiting ?? 0;
  }

  /** @param work never rejects */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const tail = this.tails.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    tail.waiting += 1;
    const done = tail.last.then(work).finally(() => {
      tail.waiting -= 1;
      if (tail.waiting === 0) this.tails.delete(key);
      this.running.delete(done);
    });
    tail.last = done;
    this.tails.set(key, tail);
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
