import { beforeEach, describe, expect, it } from 'vitest';
import { type ReadOutcome, ReadThroughCache } from './read-through-cache.ts';
import { Semaphore } from './semaphore.ts';

describe('ReadThroughCache', () => {
  let now: number;
  let source: number;
  let loads: string[];
  let outcomes: ReadOutcome[];
  let values: ReadThroughCache<number>;

  beforeEach(() => {
    now = 0;
    source = 1;
    loads = [];
    outcomes = [];
    values = new ReadThroughCache({
      isValid: (requestedAtMs) => now - requestedAtMs < 3000,
      maxEntries: 2,
      now: () => now,
      load: async (key) => {
        loads.push(key);
        return source;
      },
      onRead: (outcome) => outcomes.push(outcome),
    });
  });

  it('serves a value until it is too old', async () => {
    expect(await values.read('a')).toBe(1);
    source = 2;
    now = 2999;
    expect(await values.read('a')).toBe(1);
    now = 3000;
    expect(await values.read('a')).toBe(2);
    expect(outcomes).toEqual(['miss', 'hit', 'miss']);
  });

  it('returns stored values, not those in flight', async () => {
    const read = values.read('a');
    expect(values.cached('a')).toBeUndefined();
    await read;
    expect(values.cached('a')).toBe(1);
    now = 3000;
    expect(values.cached('a')).toBeUndefined();
  });

  it('loads once for concurrent readers', async () => {
    await Promise.all([values.read('a'), values.read('a'), values.read('a')]);
    expect(loads).toEqual(['a']);
  });

  it('is fresh on the first read after an event', async () => {
    await values.read('a');
    source = 2;
    values.invalidate('a');
    expect(await values.read('a')).toBe(2);
  });

  it('drops a load that began before an event', async () => {
    const answers: ((value: number) => void)[] = [];
    const slow = new ReadThroughCache<number>({
      isValid: (requestedAtMs) => now - requestedAtMs < 3000,
      maxEntries: 2,
      now: () => now,
      load: () => new Promise((resolve) => answers.push(resolve)),
    });
    const before = slow.read('a');
    slow.invalidate('a');
    const after = slow.read('a');
    answers[1]?.(2);
    answers[0]?.(1);
    expect(await before).toBe(1);
    expect(await after).toBe(2);
    expect(await slow.read('a')).toBe(2);
  });

  it('evicts entries above its bound', async () => {
    for (const key of ['a', 'b', 'c']) await values.read(key);
    expect(values.size).toBe(2);
    await values.read('c');
    await values.read('a');
    expect(loads).toEqual(['a', 'b', 'c', 'a']);
  });

  it('does not keep a failure', async () => {
    let failing = true;
    const unsteady = new ReadThroughCache<number>({
      isValid: (requestedAtMs) => now - requestedAtMs < 3000,
      maxEntries: 2,
      now: () => now,
      load: async () => {
        if (failing) throw new Error('down');
        return 7;
      },
    });
    await expect(unsteady.read('a')).rejects.toThrow('down');
    failing = false;
    expect(await unsteady.read('a')).toBe(7);
  });

  describe('with a semaphore', () => {
    let answers: (() => void)[];
    let isComplete: boolean;

    beforeEach(() => {
      answers = [];
      isComplete = false;
      values = new ReadThroughCache({
        isValid: (requestedAtMs) => isComplete || now - requestedAtMs < 1000,
        maxEntries: 3,
        now: () => now,
        load: (key) => {
          loads.push(key);
          const value = source;
          return new Promise((resolve) => answers.push(() => resolve(value)));
        },
        semaphore: new Semaphore({ most: 1, longestHoldMs: 60_000, longestWaitMs: 5000, now: () => now }),
      });
    });

    const answerNext = async () => {
      answers.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    };

    /** Loads keys one after the other, and lets their values become too old. */
    const haveRead = async (...keys: readonly string[]) => {
      for (const key of keys) {
        const read = values.read(key);
        await answerNext();
        await read;
      }
      now = 1000;
    };

    it('queues loads and shares those of one key', async () => {
      const reads = ['a', 'b', 'b', 'c'].map((key) => values.read(key));
      expect(loads).toEqual(['a']);
      await answerNext();
      expect(loads).toEqual(['a', 'b']);
      now = 2000;
      reads.push(values.read('c'));
      await answerNext();
      expect(loads).toEqual(['a', 'b', 'c']);
      await answerNext();
      expect(await Promise.all(reads)).toEqual([1, 1, 1, 1, 1]);
    });

    it('loads nothing that became valid while it waited', async () => {
      await haveRead('a', 'b');
      const reads = [values.read('a'), values.read('b')];
      expect(values.cached('b')).toBeUndefined();
      isComplete = true;
      expect(values.cached('b')).toBe(1);
      await answerNext();
      expect(await Promise.all(reads)).toEqual([1, 1]);
      expect(loads).toEqual(['a', 'b', 'a']);
    });

    it('loads a value that changed while it waited', async () => {
      await haveRead('a', 'b');
      const reads = [values.read('a'), values.read('b')];
      source = 2;
      values.invalidate('b');
      isComplete = true;
      await answerNext();
      await answerNext();
      expect(await Promise.all(reads)).toEqual([1, 2]);
      expect(values.cached('b')).toBe(2);
    });

    it('loads an evicted value that may have changed', async () => {
      await haveRead('a');
      const reads = ['b', 'a', 'c', 'd', 'e'].map((key) => values.read(key));
      source = 2;
      values.invalidate('a');
      isComplete = true;
      for (const _ of reads) await answerNext();
      expect(await reads[1]).toBe(2);
    });
  });
});
