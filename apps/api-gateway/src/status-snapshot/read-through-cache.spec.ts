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
      holds: (askedAtMs) => now - askedAtMs < 3000,
      maxEntries: 2,
      now: () => now,
      load: async (key) => {
        loads.push(key);
        return source;
      },
      onRead: (outcome) => outcomes.push(outcome),
    });
  });

  it('serves a value again until its age is reached', async () => {
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
    expect(values.atHand('a')).toBeUndefined();
    await read;
    expect(values.atHand('a')).toBe(1);
    now = 3000;
    expect(values.atHand('a')).toBeUndefined();
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
      holds: (askedAtMs) => now - askedAtMs < 3000,
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
      holds: (askedAtMs) => now - askedAtMs < 3000,
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

  describe('that take turns', () => {
    let answers: (() => void)[];
    let vouched: boolean;

    beforeEach(() => {
      answers = [];
      vouched = false;
      values = new ReadThroughCache({
        holds: (askedAtMs) => vouched || now - askedAtMs < 1000,
        maxEntries: 3,
        now: () => now,
        load: (key) => {
          loads.push(key);
          const value = source;
          return new Promise((resolve) => answers.push(() => resolve(value)));
        },
        turns: new Semaphore({ most: 1, heldMs: 60_000, patienceMs: 5000, now: () => now }),
      });
    });

    const answerNext = async () => {
      answers.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    };

    /** One after the other, until none of them holds any longer by itself. */
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

    it('ask for nothing that is vouched for again by then', async () => {
      await haveRead('a', 'b');
      const reads = [values.read('a'), values.read('b')];
      expect(values.atHand('b')).toBeUndefined();
      vouched = true;
      expect(values.atHand('b')).toBe(1);
      await answerNext();
      expect(await Promise.all(reads)).toEqual([1, 1]);
      expect(loads).toEqual(['a', 'b', 'a']);
    });

    it('ask for what changed while it waited for its turn', async () => {
      await haveRead('a', 'b');
      const reads = [values.read('a'), values.read('b')];
      source = 2;
      values.invalidate('b');
      vouched = true;
      await answerNext();
      await answerNext();
      expect(await Promise.all(reads)).toEqual([1, 2]);
      expect(values.atHand('b')).toBe(2);
    });

    it('reloads what was queued, since a change was unseen', async () => {
      await haveRead('a');
      const reads = ['b', 'a', 'c', 'd', 'e'].map((key) => values.read(key));
      source = 2;
      values.invalidate('a');
      vouched = true;
      for (const _ of reads) await answerNext();
      expect(await reads[1]).toBe(2);
    });
  });
});
