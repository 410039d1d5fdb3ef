import { derivedPlan, type Execution, type TransactionRecord } from '@maker/execution-records';
import { startedExecution, WALLET } from '@maker/execution-records/testing';
import {
  DEFAULT_PLAN_LIMITS,
  ENDING_RESERVE_WEI,
  estimateOrders,
  MOST_MERGED,
  STANDARD_ORDER_WEI,
  splitDeposit,
} from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { type OrderCircumstances, planOrders } from './plan-orders.ts';

const NOW = 1_800_000_000_000;
const GWEI = 1_000_000_000n;
const DEPOSIT = 250_000_000_000_000_000n;
const BUDGET = 75_000_000_000_000_000n;

function trading({ slotMs = 400, ...change }: Partial<Execution> & { slotMs?: number } = {}): Execution {
  const plan = { ...derivedPlan(BUDGET, NOW, DEFAULT_PLAN_LIMITS), slotMs };
  return { ...startedExecution({ depositWei: DEPOSIT, plan }), phase: 'trading', nextOrderAtMs: NOW, ...change };
}

function at(gweiTenths: bigint, change: Partial<OrderCircumstances> = {}): OrderCircumstances {
  const cost = { gas: 130_000n, gasPriceWei: (gweiTenths * GWEI) / 10n };
  return { nowMs: NOW, cost, open: [], mostInFlight: 8, unfilled: [], ...change };
}

function openOrder(nonce: number, change: Partial<TransactionRecord> = {}): TransactionRecord {
  const fees = { maxFeePerGasWei: GWEI / 5n, maxPriorityFeePerGasWei: 0n };
  return {
    id: `job/order/${nonce}`,
    jobId: 'job',
    purpose: 'order',
    state: 'broadcast',
    chainId: 31337,
    sender: WALLET,
    nonce,
    to: WALLET,
    data: '0x',
    gasLimit: 162_500,
    attempts: [{ hash: '0x1', rawTransaction: '0x02', valueWei: STANDARD_ORDER_WEI, ...fees }],
    inclusion: null,
    reversals: 0,
    createdAt: new Date(0),
    ...change,
  };
}

/** Places orders one after the other until the budget is spent, each booked before the next. */
function runOut(gweiTenths: bigint): { count: number; slots: number } {
  const { gas, gasPriceWei } = at(gweiTenths).cost;
  let execution = trading();
  let slots = 0;
  for (let count = 0; ; count += 1) {
    const plan = planOrders({ ...execution, nextOrderAtMs: NOW }, at(gweiTenths));
    if (plan.kind !== 'orders') return { count, slots };
    const [{ tradeWei, merged }] = plan.orders;
    const { totals } = execution;
    const order_gasWei = totals.order_gasWei + gas * gasPriceWei;
    execution = { ...execution, totals: { ...totals, orderWei: totals.orderWei + tradeWei, order_gasWei } };
    slots += merged;
  }
}

describe('planOrders', () => {
  it('places a due order and advances one slot', () => {
    expect(planOrders(trading(), at(1n))).toEqual({
      kind: 'orders',
      orders: [{ kind: 'order', tradeWei: STANDARD_ORDER_WEI, merged: 1 }],
      nextOrderAtMs: NOW + 400,
    });
  });

  it('waits until the next order is due', () => {
    expect(planOrders(trading({ nextOrderAtMs: NOW + 1 }), at(1n))).toEqual({ kind: 'wait' });
  });

  it.each([
    [10n, 1],
    [30n, 2],
    [60n, 4],
    [99n, 7],
    [100n, 7],
  ])('at %d tenths of a gwei merges %d neighbours', (tenths, merged) => {
    const plan = planOrders(trading(), at(tenths));
    expect(plan).toMatchObject({
      orders: [{ tradeWei: BigInt(merged) * STANDARD_ORDER_WEI, merged }],
      nextOrderAtMs: NOW + merged * 400,
    });
    expect(merged).toBeLessThanOrEqual(MOST_MERGED);
  });

  it('waits above 10 gwei and says so (specification § 9)', () => {
    expect(planOrders(trading(), at(101n))).toEqual({ kind: 'pause', reason: 'gas_guardrail' });
  });

  it('waits when the smallest order moves too much', () => {
    const cost = { ...at(1n).cost, largestWei: STANDARD_ORDER_WEI / 2n };
    expect(planOrders(trading(), at(1n, { cost }))).toEqual({ kind: 'pause', reason: 'thin_liquidity' });
  });

  it('places a block’s orders up to the mempool’s room', () => {
    const behind = trading({ slotMs: 120, nextOrderAtMs: NOW - 1000 });
    expect(planOrders(behind, at(1n))).toMatchObject({ orders: { length: 8 }, nextOrderAtMs: NOW - 1000 + 8 * 120 });
    expect(planOrders(behind, at(1n, { open: [1, 2, 3, 4].map((nonce) => openOrder(nonce)) }))).toMatchObject({
      orders: { length: 4 },
    });
    const full = [1, 2, 3, 4, 5, 6, 7, 8].map((nonce) => openOrder(nonce));
    expect(planOrders(behind, at(1n, { open: full }))).toEqual({ kind: 'wait' });
    const mined = full.map((order) => ({ ...order, state: 'mined' as const }));
    expect(planOrders(behind, at(1n, { open: mined }))).toMatchObject({ orders: { length: 8 } });
  });

  it('waits for half the nonces while orders are due', () => {
    const behind = trading({ slotMs: 120, nextOrderAtMs: NOW - 1000 });
    const open = [1, 2, 3, 4, 5].map((nonce) => openOrder(nonce));
    expect(planOrders(behind, at(1n, { open }))).toEqual({ kind: 'wait' });
    const nearlyOnTime = trading({ slotMs: 120, nextOrderAtMs: NOW - 240 });
    expect(planOrders(nearlyOnTime, at(1n, { open }))).toMatchObject({ kind: 'orders', orders: { length: 3 } });
  });

  it.each([1n, 10n, 60n])('places a batch like single orders, at %d', (tenths) => {
    const { totals, orderBudgetWei, plan } = trading();
    const { cost } = at(tenths);
    const reserveWei = splitDeposit(DEPOSIT).reserveWei;
    for (const left of [1n, 3n, 7n, 20n, 100n]) {
      // The part of the reserve for orders is used up: their gas comes out of the order budget.
      const gasWei = reserveWei - ENDING_RESERVE_WEI;
      const orderWei = orderBudgetWei - (left * STANDARD_ORDER_WEI) / 2n;
      let now = trading({ totals: { ...totals, orderWei, gasWei } });
      const behind = { ...now, plan: { ...plan, slotMs: 1 }, nextOrderAtMs: NOW - 1000 };
      const oneByOne: bigint[] = [];
      for (let next = planOrders(now, at(tenths)); next.kind === 'orders' && oneByOne.length < 8; ) {
        const [{ tradeWei }] = next.orders;
        oneByOne.push(tradeWei);
        const order_gasWei = now.totals.order_gasWei + cost.gas * cost.gasPriceWei;
        now = { ...now, totals: { ...now.totals, orderWei: now.totals.orderWei + tradeWei, order_gasWei } };
        next = planOrders(now, at(tenths));
      }
      const placed = planOrders(behind, at(tenths));
      expect(placed.kind === 'orders' ? placed.orders.map(({ tradeWei }) => tradeWei) : []).toEqual(oneByOne);
    }
  });

  it('does not make up an outage in a burst', () => {
    const hourBehind = trading({ slotMs: 60_000, nextOrderAtMs: NOW - 3_600_000 });
    expect(planOrders(hourBehind, at(1n))).toMatchObject({ orders: { length: 1 }, nextOrderAtMs: NOW + 60_000 });
  });

  it('reserves each open order’s maximum cost', () => {
    const { totals, orderBudgetWei } = trading();
    const nearEnd = trading({ totals: { ...totals, orderWei: orderBudgetWei - STANDARD_ORDER_WEI } });
    expect(planOrders(nearEnd, at(1n))).toMatchObject({ orders: { length: 1 } });
    expect(planOrders(nearEnd, at(1n, { open: [openOrder(1)] }))).toEqual({ kind: 'wait' });
  });

  it('counts mined orders as spent, others by gas', () => {
    const { totals, orderBudgetWei, ...rest } = trading();
    const inclusion = { movedWei: 0n, gasWei: 0n } as NonNullable<TransactionRecord['inclusion']>;
    // Two standard orders are left; the gas of all is the reserve's.
    const twoLeft = {
      ...rest,
      orderBudgetWei,
      totals: { ...totals, orderWei: orderBudgetWei - 2n * STANDARD_ORDER_WEI },
    };
    const next = (...open: TransactionRecord[]) => {
      const plan = planOrders(twoLeft, at(1n, { open }));
      return plan.kind === 'orders' ? plan.orders[0].tradeWei : plan.kind;
    };
    expect(next(openOrder(1, { state: 'mined', inclusion }))).toBe(STANDARD_ORDER_WEI);
    expect(next(openOrder(1, { purpose: 'fee' }), openOrder(2, { purpose: 'return' }))).toBe(STANDARD_ORDER_WEI);
    expect(next(openOrder(1), openOrder(2))).toBe('wait');
    const expensive = { movedWei: 0n, gasWei: DEPOSIT } as typeof inclusion;
    expect(next(openOrder(1, { state: 'mined', inclusion: expensive }))).toBe('wait');
    const gas = { ...openOrder(1, { purpose: 'fee' }), gasLimit: 10 ** 9 };
    expect(next(gas)).toBe('wait');
  });

  it('ends when nothing is left and nothing open', () => {
    const { totals, orderBudgetWei } = trading();
    expect(planOrders(trading({ totals: { ...totals, orderWei: orderBudgetWei } }), at(1n))).toEqual({ kind: 'spent' });
  });

  it('starts immediately untimed and tolerates a small lag', () => {
    expect(planOrders(trading({ nextOrderAtMs: null }), at(1n))).toMatchObject({ nextOrderAtMs: NOW + 400 });
    const slow = (lag: number) => planOrders(trading({ slotMs: 60_000, nextOrderAtMs: NOW - lag }), at(1n));
    expect(slow(60_000)).toMatchObject({ orders: { length: 2 }, nextOrderAtMs: NOW + 60_000 });
    expect(slow(60_001)).toMatchObject({ orders: { length: 1 }, nextOrderAtMs: NOW + 60_000 });
    const quick = (lag: number) => planOrders(trading({ slotMs: 800, nextOrderAtMs: NOW - lag }), at(1n));
    expect(quick(5000)).toMatchObject({ orders: { length: 7 } });
    expect(quick(5001)).toMatchObject({ orders: { length: 1 }, nextOrderAtMs: NOW - 200 + 800 });
  });

  it('waits with a retry until its slots passed', () => {
    const unfilled = [{ number: 7, tradeWei: STANDARD_ORDER_WEI }];
    const soon = (nextOrderAtMs: number) => planOrders(trading({ nextOrderAtMs }), at(1n, { unfilled }));
    expect(soon(NOW + 400)).toMatchObject({ retryOf: 7, nextOrderAtMs: NOW + 400 });
    expect(soon(NOW + 401)).toEqual({ kind: 'wait' });
  });

  it('retries an unfilled order once, alone', () => {
    const unfilled = [{ number: 7, tradeWei: STANDARD_ORDER_WEI }];
    const plan = planOrders(trading({ nextOrderAtMs: NOW + 100 }), at(1n, { unfilled }));
    expect(plan).toMatchObject({ kind: 'orders', orders: { length: 1 }, retryOf: 7, nextOrderAtMs: NOW + 100 });
  });

  it.each([
    ['merges four for one', 1, 60n, 4],
    ['merges one for four', 4, 1n, 1],
  ])('waits as many slots after a retry that %s', (_, was, tenths, is) => {
    const slotMs = 60_000;
    const placedAtMs = NOW - 1000;
    const unfilled = [{ number: 7, tradeWei: BigInt(was) * STANDARD_ORDER_WEI }];
    const plan = planOrders(trading({ slotMs, nextOrderAtMs: placedAtMs + was * slotMs }), at(tenths, { unfilled }));
    expect(plan).toMatchObject({ orders: [{ merged: is }], nextOrderAtMs: placedAtMs + is * slotMs });
  });

  it('uses the following slots after a pause', () => {
    const slotMs = 60_000;
    const unfilled = [{ number: 7, tradeWei: 4n * STANDARD_ORDER_WEI }];
    const plan = planOrders(trading({ slotMs, nextOrderAtMs: NOW - 100_000 }), at(60n, { unfilled }));
    expect(plan).toMatchObject({ orders: [{ merged: 4 }], nextOrderAtMs: NOW + 4 * slotMs });
  });

  it('spaces several retries by their own slots', () => {
    const slotMs = 60_000;
    const [one, six] = [1n, 6n].map((merged, index) => ({ number: 7 + index, tradeWei: merged * STANDARD_ORDER_WEI }));
    if (!one || !six) throw new Error('there are two');
    const both = trading({ slotMs, nextOrderAtMs: NOW + 60_000 });
    const first = planOrders(both, at(99n, { unfilled: [one, six] }));
    expect(first).toMatchObject({ orders: [{ merged: 7 }], retryOf: 7, nextOrderAtMs: NOW + 13 * slotMs });
    const left = { ...both, nextOrderAtMs: NOW + 13 * slotMs };
    const later = (nowMs: number) => planOrders(left, at(99n, { unfilled: [six], nowMs }));
    expect(later(NOW + 7 * slotMs - 1)).toEqual({ kind: 'wait' });
    expect(later(NOW + 7 * slotMs)).toMatchObject({ retryOf: 8, nextOrderAtMs: NOW + 14 * slotMs });
  });

  it('fills each block when slots outnumber blocks', () => {
    const behind = trading({ slotMs: 80, nextOrderAtMs: NOW - 6000 });
    expect(planOrders(behind, at(1n))).toMatchObject({ orders: { length: 8 } });
  });

  it('doubles its pace after each revert, to two minutes', () => {
    const slotMs = 10_000;
    const gapAfter = (consecutiveFailures: number) => {
      const unfilled = [{ number: 7, tradeWei: STANDARD_ORDER_WEI }];
      const execution = trading({ slotMs, nextOrderAtMs: NOW + slotMs, consecutiveFailures });
      const kindAt = (ms: number) => planOrders(execution, at(1n, { unfilled, nowMs: NOW + ms })).kind;
      return [20_000, 40_000, 80_000, 120_000].find((ms) => kindAt(ms - 1) === 'wait' && kindAt(ms) === 'orders');
    };
    expect([1, 2, 3, 4, 9].map(gapAfter)).toEqual([20_000, 40_000, 80_000, 120_000, 120_000]);
  });

  it('stays slow while a tenth of its orders revert', () => {
    const slotMs = 10_000;
    const next = (ordersPlaced: number, ordersFailed: number, nowMs: number) =>
      planOrders(trading({ slotMs, nextOrderAtMs: NOW, ordersPlaced, ordersFailed }), at(1n, { nowMs }));
    expect(next(2, 1, NOW + 29_999)).toEqual({ kind: 'wait' });
    expect(next(2, 1, NOW + 30_000)).toMatchObject({ orders: { length: 1 }, nextOrderAtMs: NOW + 40_000 });
    expect(next(100, 5, NOW)).toMatchObject({ orders: { length: 1 }, nextOrderAtMs: NOW + slotMs });
  });

  it('keeps a schedule that is slow already', () => {
    const slow = trading({ slotMs: 150_000, nextOrderAtMs: NOW, ordersPlaced: 1, ordersFailed: 5 });
    expect(planOrders(slow, at(1n)).kind).toBe('orders');
  });

  it('places one order at a time after a revert', () => {
    const behind = trading({ slotMs: 120, nextOrderAtMs: NOW - 1000, consecutiveFailures: 1 });
    expect(planOrders(behind, at(1n))).toMatchObject({ orders: { length: 1 } });
    expect(planOrders(behind, at(1n, { open: [openOrder(1)] }))).toEqual({ kind: 'wait' });
  });

  it.each([1n, 10n])('places the shown number of orders, at %d', (tenths) => {
    const { count } = runOut(tenths);
    const { lower, upper } = estimateOrders(DEPOSIT);
    expect(count).toBeGreaterThanOrEqual(lower);
    expect(count).toBeLessThanOrEqual(upper);
  });

  it.each([30n, 60n, 99n])('spends the budget in fewer orders, at %d', (tenths) => {
    const { count, slots } = runOut(tenths);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(estimateOrders(DEPOSIT).lower);
    expect(slots).toBeGreaterThan(0);
  });
});
