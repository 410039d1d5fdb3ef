import type { Semaphore } from './semaphore.ts';

/** Outcome of a read: from memory (hit), or by a load (miss). */
export type ReadOutcome = 'hit' | 'miss';

/** Options of a {@link ReadThroughCache}. */
export interface ReadThroughCacheOptions<Value> {
  /** Whether a value that was requested at a time may be served now. @param requestedAtMs by `now` @param value if it is loaded already */
  readonly isValid: (requestedAtMs: number, value?: Value) => boolean;
  /** Most values in memory; the ones with the oldest request are removed first. */
  readonly maxEntries: number;
  readonly now: () => number;
  /** Loads a value. @param waitedMs time that the load waited for its permit, ms */
  readonly load: (key: string, waitedMs: number) => Promise<Value>;
  /** Limits concurrent loads; without it, there is no limit. */
  readonly semaphore?: Semaphore | undefined;
  readonly onRead?: (outcome: ReadOutcome) => void;
}

interface Entry<Value> {
  /** The newest value. An invalid value may become valid again. */
  kept: { readonly value: Value; readonly requestedAtMs: number } | undefined;
  /** Answer of the current load. */
  answer?: Promise<Value> | undefined;
  /** Start of the current load; undefined while it waits for its permit. */
  requestedAtMs?: number;
}

/**
 * Caches values while they are valid. Concurrent readers of a key share one load. A value is never older than the last
 * {@link ReadThroughCache.invalidate}: a load that began before serves only readers that already wait for it. If a value becomes
 * valid again while its load waits for a permit, there is no load. Failures are not cached.
 */
export class ReadThroughCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(private readonly options: ReadThroughCacheOptions<Value>) {}

  read(key: string): Promise<Value> {
    const { isValid, onRead } = this.options;
    const known = this.entries.get(key);
    if (known?.kept && isValid(known.kept.requestedAtMs, known.kept.value)) {
      onRead?.('hit');
      return Promise.resolve(known.kept.value);
    }
    if (known?.answer && (known.requestedAtMs === undefined || isValid(known.requestedAtMs))) {
      onRead?.('hit');
      return known.answer;
    }
    onRead?.('miss');
    return this.startLoad(key, known?.kept);
  }

  /** The value if it is in memory and valid; undefined, without counting a read, if it must be loaded. */
  cached(key: string): Value | undefined {
    const kept = this.entries.get(key)?.kept;
    if (!kept || !this.options.isValid(kept.requestedAtMs, kept.value)) return undefined;
    this.options.onRead?.('hit');
    return kept.value;
  }

  /** Drops a changed value, so that the next read loads it. A load that still waits for its permit will return the change. */
  invalidate(key: string): void {
    const entry = this.entries.get(key);
    if (entry?.answer && entry.requestedAtMs === undefined) entry.kept = undefined;
    else this.entries.delete(key);
  }

  get size(): number {
    return this.entries.size;
  }

  private startLoad(key: string, kept: Entry<Value>['kept']): Promise<Value> {
    const { maxEntries, now, semaphore } = this.options;
    const entry: Entry<Value> = { kept };
    const readAtMs = now();
    const load = () => this.load(key, entry, readAtMs);
    // Deleted first, so that the map stays in the order of requests.
    this.entries.delete(key);
    this.entries.set(key, entry);
    const oldest = this.entries.keys().next();
    if (this.entries.size > maxEntries && !oldest.done) this.entries.delete(oldest.value);
    const answer = semaphore ? semaphore.run(load) : load();
    entry.answer = answer;
    const end = () => {
      entry.answer = undefined;
      if (!entry.kept && this.entries.get(key) === entry) this.entries.delete(key);
    };
    answer.then(end, end);
    return answer;
  }

  private async load(key: string, entry: Entry<Value>, readAtMs: number): Promise<Value> {
    const { isValid, load, now } = this.options;
    const { kept } = entry;
    // `invalidate` does not reach an entry that is no longer in the map.
    if (kept && this.entries.get(key) === entry && isValid(kept.requestedAtMs, kept.value)) return kept.value;
    const requestedAtMs = now();
    entry.requestedAtMs = requestedAtMs;
    const value = await load(key, requestedAtMs - readAtMs);
    entry.kept = { value, requestedAtMs };
    return value;
  }
}
