import fc from 'fast-check';
import { expect, it } from 'vitest';
import { costAt, differenceBps, priceAbove, priceOf, riseBps } from './price.ts';

it('keeps all digits of a price', () => {
  const wei = fc.bigInt({ min: 1n, max: 10n ** 24n });
  const tokens = fc.bigInt({ min: 1n, max: 2n ** 90n });
  fc.assert(
    fc.property(wei, tokens, (paid, bought) => {
      const cost = costAt(bought, priceOf(paid, bought));
      expect(cost <= paid && paid - cost <= 1n).toBe(true);
    }),
  );
});

it('differences are basis points, rises rounded up', () => {
  expect(differenceBps(10_150n, 10_000n)).toBe(150n);
  expect(differenceBps(9_900n, 10_000n)).toBe(-100n);
  expect(riseBps(1_000_001n, 1_000_000n)).toBe(1n);
  expect(riseBps(1_000_100n, 1_000_000n)).toBe(1n);
  expect(riseBps(1_000_101n, 1_000_000n)).toBe(2n);
  expect(riseBps(1_000_000n, 1_000_000n)).toBe(0n);
  expect(riseBps(999_999n, 1_000_000n)).toBe(0n);
  expect(riseBps(500_000n, 1_000_000n)).toBe(0n);
  expect(priceAbove(1000n, 1000n)).toBe(1100n);
});
