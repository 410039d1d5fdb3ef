import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { splitDeposit } from './budget.ts';
import { estimateOrders, ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI } from './estimate.ts';
import { ordersDue, scheduleOrders, sizeOrder } from './order-schedule.ts';

describe('the schedule (design § 2.3)', () => {
  it.each(['0.25', '0.5', '1', '5', '1000'])('plans an order count within the estimate for %s HYPE', (amount) => {
    const { orderBudgetWei } = splitDeposit(parseHype(amount));
    const { lower, upper } = estimateOrders(parseHype(amount));
    const { orderCount } = scheduleOrders(orderBudgetWei, 86_400_000);
    expect(orderCount).toBeGreaterThanOrEqual(lower);
    expect(orderCount).toBeLessThanOrEqual(upper);
  });

  it('spreads the orders of 0.5 HYPE evenly over a day', () => {
    expect(scheduleOrders(parseHype('0.25'), 86_400_000)).toEqual({ orderCount: 625, intervalMs: 138_240 });
  });

  it('asks for one order per interval and makes up at most a bounded number', () => {
    expect(ordersDue(1000, 100, 999, 8)).toBe(0);
    expect(ordersDue(1000, 100, 1000, 8)).toBe(1);
    expect(ordersDue(1000, 100, 1250, 8)).toBe(3);
    expect(ordersDue(1000, 100, 1_000_000, 8)).toBe(8);
  });
});

describe('the size of an order (design § 2.5: 0.0003 to 0.0005 HYPE all in)', () => {
  it.each([0n, 13_000_000_000_000n, 200_000_000_000_000n])('stays in the range with gas of %i wei', (gasWei) => {
    const size = sizeOrder(parseHype('0.25'), gasWei);
    if (size.kind !== 'order') throw new Error(`expected an order, not ${size.kind}`);
    expect(size.tradeWei + gasWei).toBeGreaterThanOrEqual(ORDER_COST_MINIMUM_WEI);
    expect(size.tradeWei + gasWei).toBeLessThanOrEqual(ORDER_COST_MAXIMUM_WEI);
  });

  it('waits when gas would eat more than half of the order', () => {
    expect(sizeOrder(parseHype('0.25'), 200_000_000_000_001n)).toEqual({ kind: 'gas_too_dear' });
  });

  it('ends when the budget does not pay for a whole order', () => {
    expect(sizeOrder(parseHype('0.0003'), 0n)).toEqual({ kind: 'exhausted' });
  });
});
