import { beforeEach, describe, expect, it } from 'vitest';
import { type ReadOutcome, RecentValues } from './recent-values.ts';

describe('RecentValues', () => {
  let now: number;
  let source: number;
  let loads: string[];
  let outcomes: ReadOutcome[];
  let values: RecentValues<number>;

  beforeEach(() => {
    now = 0;
    source = 1;
    loads = [];
    outcomes = [];
    values = new RecentValues({
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

  it('has at hand what was read and holds, and nothing that is still asked for', async () => {
    const read = values.read('a');
    expect(values.atHand('a')).toBeUndefined();
    await read;
    expect(values.atHand('a')).toBe(1);
    now = 3000;
    expect(values.atHand('a')).toBeUndefined();
  });

  it('asks once for all who read at the same time', async () => {
    await Promise.all([values.read('a'), values.read('a'), values.read('a')]);
    expect(loads).toEqual(['a']);
  });

  it('is fresh on the first read after an event', async () => {
    await values.read('a');
    source = 2;
    values.invalidate('a');
    expect(await values.read('a')).toBe(2);
  });

  it('does not keep what was asked for before an event, even if it arrives after', async () => {
    const answers: ((value: number) => void)[] = [];
    const slow = new RecentValues<number>({
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

  it('keeps no more than it may, whatever is asked for', async () => {
    for (const key of ['a', 'b', 'c']) await values.read(key);
    expect(values.size).toBe(2);
    await values.read('c');
    await values.read('a');
    expect(loads).toEqual(['a', 'b', 'c', 'a']);
  });

  it('does not keep a failure', async () => {
    let failing = true;
    const unsteady = new RecentValues<number>({
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
});
