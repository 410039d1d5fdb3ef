/** What became of a read: taken from memory, or asked for. */
export type ReadOutcome = 'hit' | 'miss';

/** How a {@link RecentValues} works. */
export interface RecentValuesOptions<Value> {
  /** Age up to which a value is served again, ms, counted from when it was asked for. */
  readonly maxAgeMs: number;
  /** Values kept at most; the ones asked for longest ago go first. */
  readonly maxEntries: number;
  readonly now: () => number;
  readonly load: (key: string) => Promise<Value>;
  readonly onRead?: (outcome: ReadOutcome) => void;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly askedAtMs: number;
}

/**
 * Values for a moment: read again from memory while young, asked for once by however many readers want them at the
 * same time, and never older than the last {@link RecentValues.invalidate}: a load under way then is served to those
 * who wait for it and to nobody after. Failures are not kept.
 */
export class RecentValues<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(private readonly options: RecentValuesOptions<Value>) {}

  read(key: string): Promise<Value> {
    const known = this.entries.get(key);
    if (known && this.options.now() - known.askedAtMs < this.options.maxAgeMs) {
      this.options.onRead?.('hit');
      return known.value;
    }
    this.options.onRead?.('miss');
    return this.load(key);
  }

  /** The value has changed: the next read asks for it. */
  invalidate(key: string): void {
    this.entries.delete(key);
  }

  get size(): number {
    return this.entries.size;
  }

  private load(key: string): Promise<Value> {
    const entry: Entry<Value> = { value: this.options.load(key), askedAtMs: this.options.now() };
    // Deleted first, so that the map stays in the order of asking.
    this.entries.delete(key);
    this.entries.set(key, entry);
    const oldest = this.entries.keys().next();
    if (this.entries.size > this.options.maxEntries && !oldest.done) this.entries.delete(oldest.value);
    entry.value.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return entry.value;
  }
}
