import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { larger, parseHype } from './amounts.ts';
import { splitDeposit } from './budget.ts';
import { estimateOrders, ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI } from './estimate.ts';
import { LEAST_USEFUL_PAYMENT_WEI } from './least-payment.ts';
import {
  countOrders,
  ENDING_RESERVE_WEI,
  LARGEST_ORDER_WEI,
  MOST_MERGED,
  mergedAt,
  type NextOrder,
  nextOrder,
  type OrderCost,
  type OrderFunds,
  STANDARD_ORDER_WEI,
  withinImpact,
} from './order-size.ts';

const GWEI = 1_000_000_000n;
const SWAP_GAS = 130_000n;

const fundsOf = (depositWei: bigint): OrderFunds => ({ ...splitDeposit(depositWei), tradedWei: 0n, gasWei: 0n });
const at = (gasPriceWei: bigint, gas = SWAP_GAS): OrderCost => ({ gas, gasPriceWei });

/** All orders that a job places in sequence at constant gas. */
function ordersOf(funds: OrderFunds, cost: OrderCost): Extract<NextOrder, { kind: 'order' }>[] {
  const orders: Extract<NextOrder, { kind: 'order' }>[] = [];
  for (let now = funds; ; ) {
    const next = nextOrder(now, cost);
    if (next.kind !== 'order') return orders;
    orders.push(next);
    now = {
      ...now,
      tradedWei: now.tradedWei + next.tradeWei,
      gasWei: now.gasWei + cost.gas * cost.gasPriceWei,
    };
  }
}

describe('the size of an order (design § 4a)', () => {
  it('is 0.0004 HYPE with gas from the reserve', () => {
    expect(STANDARD_ORDER_WEI).toBe(parseHype('0.0004'));
    expect(nextOrder(fundsOf(parseHype('0.5')), at(GWEI / 10n))).toEqual({
      kind: 'order',
      tradeWei: STANDARD_ORDER_WEI,
      merged: 1,
    });
  });

  it.each([
    ['0.1', 1],
    ['1', 1],
    ['3', 2],
    ['6', 4],
    ['9.9', 7],
  ])('at %s gwei merges %i standard orders', (gwei, merged) => {
    const gasPriceWei = parseHype(gwei) / 10n ** 9n;
    const next = nextOrder(fundsOf(parseHype('0.5')), at(gasPriceWei));
    expect(next).toEqual({ kind: 'order', tradeWei: BigInt(merged) * STANDARD_ORDER_WEI, merged });
  });

  it('trades at the guardrail and waits above', () => {
    expect(nextOrder(fundsOf(parseHype('0.5')), at(10n * GWEI + 1n))).toEqual({ kind: 'gas_guardrail' });
    expect(nextOrder(fundsOf(parseHype('0.5')), at(10n * GWEI)).kind).toBe('order');
  });

  it('shrinks to the impact cap, waits below 0.0003', () => {
    const funds = fundsOf(parseHype('0.5'));
    const largestWei = parseHype('0.00035');
    expect(nextOrder(funds, { ...at(GWEI), largestWei })).toMatchObject({ tradeWei: largestWei });
    expect(nextOrder(funds, { ...at(GWEI), largestWei: parseHype('0.0002') })).toEqual({ kind: 'impact_cap' });
    expect(nextOrder(funds, { ...at(GWEI), largestWei: ORDER_COST_MINIMUM_WEI })).toMatchObject({
      tradeWei: ORDER_COST_MINIMUM_WEI,
    });
    expect(withinImpact(1000n, 0n, 0n)).toBe(1000n);
    expect(withinImpact(1000n, 50n, 50n)).toBe(1000n);
    expect(withinImpact(1000n, 100n, 50n)).toBe(500n);
  });

  it('takes gas from the budget after the reserve', () => {
    const funds = fundsOf(parseHype('5'));
    const gasWei = funds.reserveWei - ENDING_RESERVE_WEI;
    const left = { ...funds, gasWei, tradedWei: funds.orderBudgetWei - parseHype('0.0005') };
    // 0.0005 HYPE remain, and this order's gas uses 0.00013 of it.
    expect(nextOrder(left, at(GWEI))).toEqual({ kind: 'order', tradeWei: parseHype('0.00037'), merged: 1 });
    expect(nextOrder({ ...left, gasWei: gasWei + parseHype('0.0001') }, at(GWEI))).toEqual({ kind: 'spent' });
  });

  it('leaves a worthwhile last order or shares', () => {
    const funds = fundsOf(parseHype('5'));
    const gasWei = funds.reserveWei - ENDING_RESERVE_WEI;
    // The reserve is used up: each order costs 0.00013 HYPE of gas beside its trade, and the least trade is 0.0003 HYPE.
    const leaving = (hype: string) => ({ ...funds, gasWei, tradedWei: funds.orderBudgetWei - parseHype(hype) });
    expect(nextOrder(leaving('0.00096'), at(GWEI))).toMatchObject({ tradeWei: parseHype('0.0004') });
    expect(nextOrder(leaving('0.00093'), at(GWEI))).toMatchObject({ tradeWei: parseHype('0.000335') });
    const { tradedWei } = countOrders(leaving('0.00093'), at(GWEI));
    expect(tradedWei).toBe(parseHype('0.00067'));
    // One of standard size, then two that share the rest: the same as a count one by one.
    expect(countOrders(leaving('0.0014'), at(GWEI))).toMatchObject({ count: 3, tradedWei: parseHype('0.00101') });
  });

  it('is as many orders as twice its gas', () => {
    expect(mergedAt(STANDARD_ORDER_WEI / 2n)).toBe(1);
    expect(mergedAt(STANDARD_ORDER_WEI / 2n + 1n)).toBe(2);
  });

  it('leaves delivery and return 0.006 HYPE', () => {
    expect(ENDING_RESERVE_WEI).toBe(parseHype('0.006'));
  });

  it('shares the rest between the last two orders', () => {
    const sizes = ordersOf(fundsOf(parseHype('0.25')), at(GWEI / 10n)).map(({ tradeWei }) => tradeWei);
    expect(sizes).toHaveLength(188);
    expect(sizes.slice(-3)).toEqual([STANDARD_ORDER_WEI, ORDER_COST_MINIMUM_WEI, ORDER_COST_MINIMUM_WEI]);
  });

  it('places a first order at any gas price', () => {
    expect(ordersOf(fundsOf(LEAST_USEFUL_PAYMENT_WEI), at(10n * GWEI))).toEqual([
      { kind: 'order', tradeWei: STANDARD_ORDER_WEI, merged: 1 },
    ]);
  });
});

/** Gas beyond the reserve's part for orders. */
function overdrawn({ reserveWei }: OrderFunds, gasWei: bigint): bigint {
  return larger(gasWei - larger(reserveWei - ENDING_RESERVE_WEI, 0n), 0n);
}

describe('for any deposit and gas price, a job’s orders', () => {
  const deposits = fc.bigInt({ min: 0n, max: parseHype('4') });
  const smallDeposits = fc.bigInt({ min: 0n, max: parseHype('0.4') });
  const costs = fc.record({
    gas: fc.bigInt({ min: 60_000n, max: 700_000n }),
    gasPriceWei: fc.bigInt({ min: 0n, max: 10n * GWEI }),
  });

  it('stay within budget and reserve, with final gas', () => {
    fc.assert(
      fc.property(deposits, costs, (depositWei, cost) => {
        const funds = fundsOf(depositWei);
        const { tradedWei, gasWei } = countOrders(funds, cost);
        expect(tradedWei + overdrawn(funds, gasWei)).toBeLessThanOrEqual(funds.orderBudgetWei);
      }),
    );
  });

  it('merge up to sixteen, without dust or excess gas', () => {
    fc.assert(
      fc.property(smallDeposits, costs, (depositWei, cost) => {
        const orders = ordersOf(fundsOf(depositWei), cost);
        const gasWei = cost.gas * cost.gasPriceWei;
        const most = mergedAt(gasWei) === 1 ? ORDER_COST_MAXIMUM_WEI : LARGEST_ORDER_WEI;
        const outside = orders.filter(
          ({ tradeWei, merged }) => merged > MOST_MERGED || tradeWei > most || tradeWei < ORDER_COST_MINIMUM_WEI,
        );
        const dear = orders.slice(1).filter(({ tradeWei }) => tradeWei < 2n * gasWei && tradeWei < LARGEST_ORDER_WEI);
        expect([...outside, ...dear]).toEqual([]);
      }),
    );
  });

  it('leave less than one worthwhile order', () => {
    fc.assert(
      fc.property(deposits, costs, (depositWei, cost) => {
        const funds = fundsOf(depositWei);
        const { tradedWei, gasWei, count } = countOrders(funds, cost);
        fc.pre(count > 0);
        const orderGasWei = cost.gas * cost.gasPriceWei;
        const left = funds.orderBudgetWei - tradedWei - overdrawn(funds, gasWei);
        expect(left).toBeLessThan(larger(2n * orderGasWei, ORDER_COST_MINIMUM_WEI) + orderGasWei);
      }),
    );
  });

  it('never exceed the estimate, nor miss it cheaply', () => {
    fc.assert(
      fc.property(deposits, costs, (depositWei, cost) => {
        const { count, gasWei } = countOrders(fundsOf(depositWei), cost);
        const { lower, upper } = estimateOrders(depositWei);
        expect(count).toBeLessThanOrEqual(upper);
        const { reserveWei } = splitDeposit(depositWei);
        if (mergedAt(cost.gas * cost.gasPriceWei) === 1 && gasWei <= reserveWei - ENDING_RESERVE_WEI) {
          expect(count).toBeGreaterThanOrEqual(lower);
        }
      }),
    );
  });

  it('become fewer with dearer gas', () => {
    fc.assert(
      fc.property(deposits, costs, fc.bigInt({ min: 0n, max: 10n * GWEI }), (depositWei, cost, other) => {
        const [cheap, dear] = [cost.gasPriceWei, other].sort((one, two) => (one < two ? -1 : 1));
        const count = (gasPriceWei: bigint) => countOrders(fundsOf(depositWei), { ...cost, gasPriceWei }).count;
        expect(count(dear ?? 0n)).toBeLessThanOrEqual(count(cheap ?? 0n));
      }),
      { numRuns: 300 },
    );
  });

  it('are counted as they are placed', () => {
    fc.assert(
      fc.property(
        smallDeposits,
        costs,
        fc.option(fc.bigInt({ min: 0n, max: LARGEST_ORDER_WEI })),
        (depositWei, cost, largestWei) => {
          const bounded = largestWei === null ? cost : { ...cost, largestWei };
          const orders = ordersOf(fundsOf(depositWei), bounded);
          expect(countOrders(fundsOf(depositWei), bounded)).toEqual({
            count: orders.length,
            tradedWei: orders.reduce((sum, { tradeWei }) => sum + tradeWei, 0n),
            gasWei: BigInt(orders.length) * cost.gas * cost.gasPriceWei,
          });
        },
      ),
    );
  });
});

describe('at 0.1 gwei the orders match the estimate (specification § 5)', () => {
  it.each(['0.25', '0.5', '1', '2', '5', '37.3', '1000'])('%s HYPE', (amount) => {
    const depositWei = parseHype(amount);
    const { lower, upper } = estimateOrders(depositWei);
    const { count } = countOrders(fundsOf(depositWei), at(GWEI / 10n, 160_000n));
    expect(count).toBeGreaterThanOrEqual(lower);
    expect(count).toBeLessThanOrEqual(upper);
  });

  it('0.25 HYPE also at 1 gwei', () => {
    const { count } = countOrders(fundsOf(parseHype('0.25')), at(GWEI, 160_000n));
    expect(count).toBeGreaterThanOrEqual(150);
    expect(count).toBeLessThanOrEqual(250);
  });
});
