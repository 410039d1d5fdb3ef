import { expect, it } from 'vitest';
import { type Deposit, sumOf } from './deposit.ts';

it('sums the amounts of deposits', () => {
  const deposits = [7n, 100n, 3n].map((amountWei) => ({ amountWei }) as Deposit);
  expect(sumOf(deposits)).toBe(110n);
  expect(sumOf([])).toBe(0n);
});
