import { expect, it } from 'vitest';
import { pauseAfter } from './next-attempt.ts';

const HOUR_MS = 3_600_000;

it('grows from seconds to half a day, without end', () => {
  const pauses = Array.from({ length: 20 }, (_, index) => pauseAfter(index + 1));
  expect(pauses[0]).toBe(5000);
  expect(pauses.every((pause, index) => pause >= (pauses[index - 1] ?? 0))).toBe(true);
  expect(pauses.at(-1)).toBe(12 * HOUR_MS);
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(3 * 24 * HOUR_MS);
  expect(pauseAfter(100_000)).toBe(12 * HOUR_MS);
});

it('respects a longer pause that the receiver requests', () => {
  expect(pauseAfter(1, 120_000)).toBe(120_000);
  expect(pauseAfter(6, 1000)).toBe(HOUR_MS);
  expect(pauseAfter(1, 400 * 24 * HOUR_MS)).toBe(12 * HOUR_MS);
});
