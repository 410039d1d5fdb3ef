/** What became of a read: taken from memory, or asked for. */
export type ReadOutcome = 'hit' | 'miss';

/** How a {@link RecentValues} works. */
export interface RecentValuesOptions<Value> {
  /** Whether a value that was asked for at a moment may be served now. @param askedAtMs by `now` */
  readonly holds: (askedAtMs: number) => boolean;
  /** Values kept at most; the ones asked for longest ago go first. */
  readonly maxEntries: number;
  readonly now: () => number;
  readonly load: (key: string) => Promise<Value>;
  readonly onRead?: (outcome: ReadOutcome) => void;
}

interface Entry<Value> {
  readonly askedAtMs: number;
  /** While it is being asked for. */
  asked: Promise<Value> | undefined;
  /** Once it is there. */
  value: Value | undefined;
}

/**
 * Values that hold for a while: read again from memory as long as they do, asked for once by however many readers want them at
 * the same time, and never older than the last {@link RecentValues.invalidate}: a load under way then is served to those
 * who wait for it and to nobody after. Failures are not kept.
 */
export class RecentValues<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(private readonly options: RecentValuesOptions<Value>) {}

  read(key: string): Promise<Value> {
    const known = this.entries.get(key);
    if (known && this.options.holds(known.askedAtMs)) {
      this.options.onRead?.('hit');
      return known.asked ?? Promise.resolve(known.value as Value);
    }
    this.options.onRead?.('miss');
    return this.load(key);
  }

  /** The value where it is there and holds; no read is counted, since who has it may still not use it. */
  atHand(key: string): Value | undefined {
    const known = this.entries.get(key);
    return known?.value !== undefined && this.options.holds(known.askedAtMs) ? known.value : undefined;
  }

  /** The value has changed: the next read asks for it. */
  invalidate(key: string): void {
    this.entries.delete(key);
  }

  get size(): number {
    return this.entries.size;
  }

  private load(key: string): Promise<Value> {
    const askedAtMs = this.options.now();
    const asked = this.options.load(key);
    const entry: Entry<Value> = { askedAtMs, asked, value: undefined };
    // Deleted first, so that the map stays in the order of asking.
    this.entries.delete(key);
    this.entries.set(key, entry);
    const oldest = this.entries.keys().next();
    if (this.entries.size > this.options.maxEntries && !oldest.done) this.entries.delete(oldest.value);
    asked.then(
      (value) => {
        entry.value = value;
        entry.asked = undefined;
      },
      () => {
        if (this.entries.get(key) === entry) this.entries.delete(key);
      },
    );
    return asked;
  }
}
