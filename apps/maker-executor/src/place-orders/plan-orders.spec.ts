import { estimateOrders, ORDER_COST_MAXIMUM_WEI, ORDER_COST_TARGET_WEI } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { Execution } from '../execution/execution.ts';
import { startExecution } from '../execution/new-execution.ts';
import { type OrderCircumstances, planOrders } from './plan-orders.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const NOW = 1_800_000_000_000;
const GWEI = 1_000_000_000n;

function trading(change: Partial<Execution> = {}): Execution {
  const { execution } = startExecution(
    {
      jobId: 'job_0123456789abcdef0123456789abcdef',
      tokenAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      walletAddress: WALLET,
      walletIndex: 0,
      depositWei: 250_000_000_000_000_000n,
      returnAddress: null,
    },
    WALLET,
    75_000,
    new Date(0),
  );
  return { ...execution, phase: 'trading', nextOrderAtMs: NOW, ...change };
}

const calm: OrderCircumstances = {
  nowMs: NOW,
  baseFeeWei: GWEI / 10n,
  gasExpected: 130_000n,
  openOrders: 0,
  freeNonces: 8,
};

describe('planOrders', () => {
  it('places an order when it is due and moves the schedule by one interval (design § 2.3)', () => {
    const plan = planOrders(trading(), calm);
    expect(plan).toEqual({
      kind: 'order',
      count: 1,
      tradeWei: ORDER_COST_TARGET_WEI - 13_000n * GWEI,
      nextOrderAtMs: NOW + trading().intervalMs,
    });
  });

  it('waits until the next order is due', () => {
    expect(planOrders(trading({ nextOrderAtMs: NOW + 1 }), calm)).toEqual({ kind: 'wait' });
  });

  it('places what one block asks for where orders are due faster than blocks', () => {
    const oneBlockBehind = trading({ intervalMs: 120, nextOrderAtMs: NOW - 1000 });
    expect(planOrders(oneBlockBehind, calm)).toMatchObject({ kind: 'order', count: 8 });
  });

  it('takes no more nonces than the mempool does (design § 5)', () => {
    const behind = trading({ intervalMs: 120, nextOrderAtMs: NOW - 1000 });
    expect(planOrders(behind, { ...calm, freeNonces: 3, openOrders: 5 })).toMatchObject({ count: 3 });
    expect(planOrders(behind, { ...calm, freeNonces: 0, openOrders: 8 })).toEqual({ kind: 'wait' });
  });

  it('does not make up an outage in a burst (design § 2.3)', () => {
    const hourBehind = trading({ intervalMs: 60_000, nextOrderAtMs: NOW - 3_600_000 });
    expect(planOrders(hourBehind, calm)).toMatchObject({ count: 1, nextOrderAtMs: NOW + 60_000 });
  });

  it('pauses while gas leaves too little of an order for the trade (docs/adr/0003)', () => {
    expect(planOrders(trading(), { ...calm, baseFeeWei: 2n * GWEI })).toEqual({ kind: 'pause', reason: 'order_cost' });
  });

  it('counts open orders at the most that they can cost, and waits for them before it ends', () => {
    const budget = trading().orderBudgetWei;
    const left = ORDER_COST_TARGET_WEI + ORDER_COST_MAXIMUM_WEI;
    const nearEnd = trading({
      totals: { ...trading().totals, orderWei: budget - left },
      intervalMs: 10,
      nextOrderAtMs: NOW - 1000,
    });
    expect(planOrders(nearEnd, calm)).toMatchObject({ count: 2 });
    expect(planOrders(nearEnd, { ...calm, openOrders: 2, freeNonces: 6 })).toEqual({ kind: 'wait' });
  });

  it('ends when the budget pays for no further order', () => {
    const { orderBudgetWei, totals } = trading();
    const spent = trading({ totals: { ...totals, orderWei: orderBudgetWei - ORDER_COST_TARGET_WEI + 1n } });
    expect(planOrders(spent, calm)).toEqual({ kind: 'exhausted' });
  });

  it('never places more orders than the visitor was shown (design § 2.5)', () => {
    const execution = trading();
    const { upper } = estimateOrders(execution.depositWei);
    expect(planOrders({ ...execution, ordersPlaced: upper }, calm)).toEqual({ kind: 'exhausted' });
  });
});
