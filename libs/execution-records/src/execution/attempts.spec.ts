import { expect, it } from 'vitest';
import { addAttempt, beginAttempts, isExhausted, isTooEarly } from './attempts.ts';

it('gives each step three attempts with growing pauses', () => {
  let attempts = beginAttempts(1000);
  const pauses: number[] = [];
  while (!isExhausted(attempts)) {
    attempts = addAttempt(attempts, 1000, 'it refuses');
    pauses.push(attempts.nextAtMs - 1000);
  }
  expect(attempts).toMatchObject({ count: 3, sinceMs: 1000, refusal: 'it refuses' });
  expect(pauses).toEqual([3000, 15_000, 15_000]);
});

it('skips pauses when a job is to stop', () => {
  const attempts = addAttempt(beginAttempts(0), 0);
  expect(isTooEarly(attempts, 2999, false)).toBe(true);
  expect(isTooEarly(attempts, 3000, false)).toBe(false);
  expect(isTooEarly(attempts, 1, true)).toBe(false);
});
