import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Semaphore } from './semaphore.ts';

describe('Semaphore', () => {
  let begun: string[];
  let end: Map<string, () => void>;
  let turns: Semaphore;

  const ask = (name: string) =>
    turns.run(() => {
      begun.push(name);
      return new Promise<string>((resolve) => end.set(name, () => resolve(name)));
    });

  beforeEach(() => {
    vi.useFakeTimers();
    begun = [];
    end = new Map();
    turns = new Semaphore({ most: 2, heldMs: 500, patienceMs: 2500, now: () => Date.now() });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs in order up to the permitted number', async () => {
    const asked = ['a', 'b', 'c', 'd'].map(ask);
    expect(begun).toEqual(['a', 'b']);
    expect(turns.waitingCount).toBe(2);
    end.get('b')?.();
    expect(await asked[1]).toBe('b');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('passes over a hung service and counts it busy', async () => {
    const asked = ['a', 'b', 'c', 'd', 'e'].map(ask);
    await vi.advanceTimersByTimeAsync(500);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    end.get('a')?.();
    expect(await asked[0]).toBe('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    end.get('c')?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('rejects callers that waited too long', async () => {
    const asked = Array.from({ length: 20 }, (_, index) => ask(String(index)));
    const last = expect(asked.at(-1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    for (const each of asked.slice(0, -1)) each.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(3000);
    await last;
    expect(begun).toHaveLength(10);
  });

  it('runs on behalf of its caller', async () => {
    const caller = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    for (const name of ['a', 'b', 'c']) {
      caller.run(name, () => {
        void turns.run(async () => seen.push(caller.getStore()));
      });
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['a', 'b', 'c']);
  });
});
