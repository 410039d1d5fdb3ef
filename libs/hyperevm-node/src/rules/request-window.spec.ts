import { describe, expect, it } from 'vitest';
import { RequestWindow } from './request-window.ts';

describe('the limit of requests', () => {
  it('limits each address in any minute', () => {
    const window = new RequestWindow();
    expect(window.take('a', 99, 100, 0)).toBe(true);
    expect(window.take('a', 1, 100, 30_000)).toBe(true);
    expect(window.take('a', 1, 100, 59_999)).toBe(false);
    expect(window.take('b', 1, 100, 59_999)).toBe(true);
    expect(window.take('a', 99, 100, 60_001)).toBe(true);
    expect(window.take('a', 1, 100, 60_001)).toBe(false);
  });

  it('counts batch calls and rejects a long batch', () => {
    const window = new RequestWindow();
    expect(window.take('a', 11, 10, 0)).toBe(false);
    expect(window.take('a', 10, 10, 0)).toBe(true);
  });

  it('is off at 0', () => {
    expect(new RequestWindow().take('a', 1_000_000, 0, 0)).toBe(true);
  });
});
