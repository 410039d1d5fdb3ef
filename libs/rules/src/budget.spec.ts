import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { FALLBACK_MINIMUM_PAYMENT_WEI, MINIMUM_PAYMENT_WEI, minimumPayment, splitDeposit } from './budget.ts';

describe('a deposit is divided without loss (design § 4)', () => {
  it('takes 30 % and keeps 0.1 HYPE', () => {
    expect(splitDeposit(parseHype('0.5'))).toEqual({
      feeWei: parseHype('0.15'),
      orderBudgetWei: parseHype('0.25'),
      reserveWei: parseHype('0.1'),
      excessWei: 0n,
    });
  });

  it.each(['0', '0.000000000000000001', '0.01', '0.25', '0.333333333333333333', '1000', '1000.5'])(
    'sums to the deposit for %s HYPE',
    (amount) => {
      const deposit = parseHype(amount);
      const { feeWei, orderBudgetWei, reserveWei, excessWei } = splitDeposit(deposit);
      expect(feeWei + orderBudgetWei + reserveWei + excessWei).toBe(deposit);
      for (const part of [feeWei, orderBudgetWei, reserveWei, excessWei]) expect(part).toBeGreaterThanOrEqual(0n);
    },
  );

  it('executes at most 1000 HYPE and returns the rest', () => {
    expect(splitDeposit(parseHype('1001')).excessWei).toBe(parseHype('1'));
  });
});

it('accepts 0.25 HYPE by default', () => {
  expect(MINIMUM_PAYMENT_WEI).toBe(parseHype('0.25'));
});

it('falls back to 0.01 HYPE', () => {
  expect(minimumPayment(0n)).toBe(FALLBACK_MINIMUM_PAYMENT_WEI);
  expect(minimumPayment(-1n)).toBe(parseHype('0.01'));
  expect(minimumPayment(parseHype('0.25'))).toBe(parseHype('0.25'));
});
