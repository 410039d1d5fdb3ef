import { expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { splitDeposit } from './budget.ts';
import { LEAST_USEFUL_PAYMENT_WEI, leastPayment } from './least-payment.ts';
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
