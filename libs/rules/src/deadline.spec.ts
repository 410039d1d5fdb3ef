import { expect, it } from 'vitest';
import { isInTime, PAYMENT_TIMEOUT_MS, WATCH_AFTER_END_MS } from './deadline.ts';

it('gives 15 minutes to pay, a day to watch', () => {
  expect(PAYMENT_TIMEOUT_MS).toBe(900_000);
  expect(WATCH_AFTER_END_MS).toBe(86_400_000);
});

it('accepts the deadline’s own block, nothing later', () => {
  expect(isInTime(999, 1000)).toBe(true);
  expect(isInTime(1000, 1000)).toBe(true);
  expect(isInTime(1001, 1000)).toBe(false);
});
