import { expect, it } from 'vitest';
import { CallSize } from './call-size.ts';

const MINUTE_MS = 60_000;

it('halves with each refusal down to the minimum', () => {
  const size = new CallSize(100);
  expect(size.refused(100, 0)).toBe(true);
  expect(size.next(0)).toBe(50);
  expect(size.refused(50, 0)).toBe(true);
  expect(size.refused(25, 0)).toBe(true);
  expect(size.next(0)).toBe(16);
  expect(size.refused(16, 0)).toBe(false);
});

it('grows back after a bad moment', () => {
  const size = new CallSize(100);
  size.refused(100, 0);
  size.refused(50, 0);
  expect(size.next(MINUTE_MS)).toBe(25);
  for (const count of [50, 100]) {
    expect(size.next(2 * MINUTE_MS)).toBe(count);
    size.answered(count);
  }
  expect(size.known).toBe(100);
});

it('retries larger sizes less often after failures', () => {
  const size = new CallSize(100);
  size.refused(100, 0);
  let nowMs = 0;
  let trials = 0;
  for (; nowMs < 24 * 60 * MINUTE_MS; nowMs += MINUTE_MS) {
    const count = size.next(nowMs);
    if (count <= 50) size.answered(count);
    else {
      trials += 1;
      size.refused(count, nowMs);
    }
  }
  expect(size.known).toBe(50);
  expect(trials).toBeLessThanOrEqual(6 + 24);
});
