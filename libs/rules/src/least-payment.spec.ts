import { expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { splitDeposit } from './budget.ts';
import { LEAST_USEFUL_PAYMENT_WEI, leastPayment, leastStartingWei } from './least-payment.ts';
import { STANDARD_ORDER_WEI } from './order-size.ts';

it('the least payment leaves exactly one order', () => {
  expect(splitDeposit(LEAST_USEFUL_PAYMENT_WEI).orderBudgetWei).toBe(STANDARD_ORDER_WEI);
  expect(splitDeposit(LEAST_USEFUL_PAYMENT_WEI - 1n).orderBudgetWei).toBeLessThan(STANDARD_ORDER_WEI);
});

it('no configured minimum pays for nothing', () => {
  expect(leastPayment(0n)).toBe(LEAST_USEFUL_PAYMENT_WEI);
  expect(leastPayment(parseHype('0.1'))).toBe(LEAST_USEFUL_PAYMENT_WEI);
  expect(leastPayment(parseHype('0.25'))).toBe(parseHype('0.25'));
});

it('lets 99 % of an amount start a job', () => {
  expect(leastStartingWei(parseHype('0.5'))).toBe(parseHype('0.495'));
  expect(leastStartingWei(parseHype('0.25'))).toBe(parseHype('0.2475'));
  expect(leastStartingWei(parseHype('0.5') + 1n)).toBe(parseHype('0.495') + 1n);
});

it('starts no job that buys nothing', () => {
  expect(leastStartingWei(LEAST_USEFUL_PAYMENT_WEI)).toBe(LEAST_USEFUL_PAYMENT_WEI);
  expect(leastStartingWei(LEAST_USEFUL_PAYMENT_WEI + 1n)).toBe(LEAST_USEFUL_PAYMENT_WEI);
  expect(leastStartingWei(100n)).toBe(100n);
});
