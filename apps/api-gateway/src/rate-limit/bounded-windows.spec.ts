import { beforeEach, describe, expect, it } from 'vitest';
import { BoundedWindows } from './bounded-windows.ts';

describe('BoundedWindows', () => {
  let now: number;
  let windows: BoundedWindows<{ name: string; expiresAtMs: number }>;

  beforeEach(() => {
    now = 0;
    windows = new BoundedWindows(2, () => now);
  });

  it('returns a window until it ends', () => {
    windows.set('a', { name: 'a', expiresAtMs: 100 });
    now = 99;
    expect(windows.get('a')?.name).toBe('a');
    now = 100;
    expect(windows.get('a')).toBeUndefined();
  });

  it('evicts the oldest entry at its bound', () => {
    for (const name of ['a', 'b', 'a', 'c']) windows.set(name, { name, expiresAtMs: 100 });
    expect(windows.size).toBe(2);
    expect(windows.get('b')).toBeUndefined();
    expect(windows.get('a')).toBeDefined();
  });

  it('removes windows that have ended', () => {
    windows.set('a', { name: 'a', expiresAtMs: 10 });
    now = 10;
    windows.set('b', { name: 'b', expiresAtMs: 20 });
    expect(windows.size).toBe(1);
  });
});
