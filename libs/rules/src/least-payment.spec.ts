import { expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { splitDeposit } from './budget.ts';
import { LEAST_USEFUL_PAYMENT_WEI, leastPayment } from './least-payment.ts';
import { STANDARD_ORDER_WEI } from './order-size.ts';

it('the least useful payment leaves exactly one order, and one wei less does not (design § 4a)', () => {
  expect(splitDeposit(LEAST_USEFUL_PAYMENT_WEI).orderBudgetWei).toBe(STANDARD_ORDER_WEI);
  expect(splitDeposit(LEAST_USEFUL_PAYMENT_WEI - 1n).orderBudgetWei).toBeLessThan(STANDARD_ORDER_WEI);
});

it('no configured minimum, nor the fallback, lets anyone pay for nothing (specification § 3)', () => {
  expect(leastPayment(0n)).toBe(LEAST_USEFUL_PAYMENT_WEI);
  expect(leastPayment(parseHype('0.1'))).toBe(LEAST_USEFUL_PAYMENT_WEI);
  expect(leastPayment(parseHype('0.25'))).toBe(parseHype('0.25'));
});
