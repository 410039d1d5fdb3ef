import type { Semaphore } from './semaphore.ts';

/** What became of a read: taken from memory, or asked for. */
export type ReadOutcome = 'hit' | 'miss';

/** How a {@link ReadThroughCache} works. */
export interface RecentValuesOptions<Value> {
  /** Whether a value that was asked for at a moment may be served now. @param askedAtMs by `now` @param value where it is there already */
  readonly holds: (askedAtMs: number, value?: Value) => boolean;
  /** Values kept at most; the ones asked for longest ago go first. */
  readonly maxEntries: number;
  readonly now: () => number;
  /** @param waitedMs how long the question waited for its turn, ms */
  readonly load: (key: string, waitedMs: number) => Promise<Value>;
  /** Whose questions take turns; without them all are asked at once. */
  readonly turns?: Semaphore | undefined;
  readonly onRead?: (outcome: ReadOutcome) => void;
}

interface Entry<Value> {
  /** The newest value. One that does not hold now may hold again. */
  kept: { readonly value: Value; readonly askedAtMs: number } | undefined;
  /** The answer to the question under way. */
  answer?: Promise<Value> | undefined;
  /** When that was asked; not yet while it waits for its turn. */
  askedAtMs?: number;
}

/**
 * Values that hold for a while: read again from memory as long as they do, asked for once by however many readers want them at
 * the same time, and never older than the last {@link ReadThroughCache.invalidate}: a load under way then is served to those
 * who wait for it and to nobody after. Nobody is asked where the value holds again when it is its turn. Failures are not kept.
 */
export class ReadThroughCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(private readonly options: RecentValuesOptions<Value>) {}

  read(key: string): Promise<Value> {
    const { holds, onRead } = this.options;
    const known = this.entries.get(key);
    if (known?.kept && holds(known.kept.askedAtMs, known.kept.value)) {
      onRead?.('hit');
      return Promise.resolve(known.kept.value);
    }
    if (known?.answer && (known.askedAtMs === undefined || holds(known.askedAtMs))) {
      onRead?.('hit');
      return known.answer;
    }
    onRead?.('miss');
    return this.ask(key, known?.kept);
  }

  /** The value where it is there and holds; undefined, and no read is counted, where it has to be asked for. */
  atHand(key: string): Value | undefined {
    const kept = this.entries.get(key)?.kept;
    if (!kept || !this.options.holds(kept.askedAtMs, kept.value)) return undefined;
    this.options.onRead?.('hit');
    return kept.value;
  }

  /** The value has changed: the next read asks for it. A question that still waits for its turn will tell of the change. */
  invalidate(key: string): void {
    const entry = this.entries.get(key);
    if (entry?.answer && entry.askedAtMs === undefined) entry.kept = undefined;
    else this.entries.delete(key);
  }

  get size(): number {
    return this.entries.size;
  }

  private ask(key: string, kept: Entry<Value>['kept']): Promise<Value> {
    const { maxEntries, now, turns } = this.options;
    const entry: Entry<Value> = { kept };
    const readAtMs = now();
    const onTurn = () => this.load(key, entry, readAtMs);
    // Deleted first, so that the map stays in the order of asking.
    this.entries.delete(key);
    this.entries.set(key, entry);
    const oldest = this.entries.keys().next();
    if (this.entries.size > maxEntries && !oldest.done) this.entries.delete(oldest.value);
    const answer = turns ? turns.run(onTurn) : onTurn();
    entry.answer = answer;
    const end = () => {
      entry.answer = undefined;
      if (!entry.kept && this.entries.get(key) === entry) this.entries.delete(key);
    };
    answer.then(end, end);
    return answer;
  }

  private async load(key: string, entry: Entry<Value>, readAtMs: number): Promise<Value> {
    const { holds, load, now } = this.options;
    const { kept } = entry;
    // What is no longer in the map is told of no change.
    if (kept && this.entries.get(key) === entry && holds(kept.askedAtMs, kept.value)) return kept.value;
    const askedAtMs = now();
    entry.askedAtMs = askedAtMs;
    const value = await load(key, askedAtMs - readAtMs);
    entry.kept = { value, askedAtMs };
    return value;
  }
}
