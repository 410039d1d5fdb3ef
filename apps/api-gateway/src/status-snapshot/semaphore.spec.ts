import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Semaphore } from './semaphore.ts';

describe('Semaphore', () => {
  let started: string[];
  let end: Map<string, () => void>;
  let semaphore: Semaphore;

  const run = (name: string) =>
    semaphore.run(() => {
      started.push(name);
      return new Promise<string>((resolve) => end.set(name, () => resolve(name)));
    });

  beforeEach(() => {
    vi.useFakeTimers();
    started = [];
    end = new Map();
    semaphore = new Semaphore({ most: 2, longestHoldMs: 500, longestWaitMs: 2500, now: () => Date.now() });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs in order up to the permitted number', async () => {
    const results = ['a', 'b', 'c', 'd'].map(run);
    expect(started).toEqual(['a', 'b']);
    expect(semaphore.waitingCount).toBe(2);
    end.get('b')?.();
    expect(await results[1]).toBe('b');
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('releases the permit of a hanging service after a limit', async () => {
    const results = ['a', 'b', 'c', 'd', 'e'].map(run);
    await vi.advanceTimersByTimeAsync(500);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    end.get('a')?.();
    expect(await results[0]).toBe('a');
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    end.get('c')?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('rejects callers that waited too long', async () => {
    const results = Array.from({ length: 20 }, (_, index) => run(String(index)));
    const last = expect(results.at(-1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    for (const each of results.slice(0, -1)) each.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(3000);
    await last;
    expect(started).toHaveLength(10);
  });

  it('runs on behalf of its caller', async () => {
    const caller = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    for (const name of ['a', 'b', 'c']) {
      caller.run(name, () => {
        void semaphore.run(async () => seen.push(caller.getStore()));
      });
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['a', 'b', 'c']);
  });
});
