import { expect, it } from 'vitest';
import { isInTime, PAYMENT_TIMEOUT_MS, WATCH_AFTER_END_MS } from './deadline.ts';

it('a visitor has 15 minutes to pay, and an address is watched for a day after its job (specification § 9, design § 4)', () => {
  expect(PAYMENT_TIMEOUT_MS).toBe(900_000);
  expect(WATCH_AFTER_END_MS).toBe(86_400_000);
});

it('a payment in a block of the very deadline is in time, and one a millisecond later is not (design § 4)', () => {
  expect(isInTime(999, 1000)).toBe(true);
  expect(isInTime(1000, 1000)).toBe(true);
  expect(isInTime(1001, 1000)).toBe(false);
});
