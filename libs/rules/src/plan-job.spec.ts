import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { NO_PACE, wholeCapacity } from './capacity.ts';
import { estimateOrders } from './estimate.ts';
import { LEAST_USEFUL_PAYMENT_WEI } from './least-payment.ts';
import { type NextOrder, nextOrder, STANDARD_ORDER_WEI } from './order-size.ts';
import { DEFAULT_PLAN_LIMITS, isRefused, type Plan, type PlanRequest, type TokenLimits } from './plan.ts';
import { planJob } from './plan-job.ts';
import { concentrated, constantProduct, stateOf, type TestPool } from './pool.fixture.ts';

const GWEI = 1_000_000_000n;
const START = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const whole = wholeCapacity({ blockGas: 3_000_000n, blockTimeMs: 1000, shareBps: 1000n, requestsPerMinute: 600n });

function requestOf(hype: string, pools: readonly TestPool[], change: Partial<PlanRequest> = {}): PlanRequest {
  const depositWei = parseHype(hype);
  return {
    depositWei,
    startAtMs: START,
    pools: pools.map((pool, index) => stateOf(pool, depositWei, 130_000n, `exchange-${index}`)),
    gasPriceWei: GWEI / 10n,
    deliveryGas: 65_000n,
    capacity: { whole, booked: NO_PACE, requestsPerOrder: 4n },
    limits: DEFAULT_PLAN_LIMITS,
    ...change,
  };
}

/** A token of 18 decimals at 1,000 tokens for a HYPE. */
const v2 = (hype = '40') => constantProduct(parseHype(hype), parseHype(hype) * 1000n);
/** A pool of Camelot's shape with another fee. */
const camelot = () => constantProduct(parseHype('40'), parseHype('40000'), 10_000n);
/** Thin, then deep, then thin again: the price crosses two boundaries during a job. */
const v3 = () => {
  const root = Math.sqrt(1 / 1000);
  const liquidity = 40e18 / root;
  return concentrated(root, [
    { liquidity, upToRoot: root * 1.004 },
    { liquidity: liquidity * 3, upToRoot: root * 1.009 },
    { liquidity: liquidity / 2, upToRoot: root * 3 },
  ]);
};

/** A calm job: it follows the rules to its end, always in the best pool, without other traders. */
function runJob(request: PlanRequest, pools: readonly TestPool[], plan: Plan, laterGas = 130_000n) {
  const cost = { gas: 130_000n, gasPriceWei: request.gasPriceWei };
  let [tradedWei, gasWei] = [0n, 21_000n * request.gasPriceWei];
  let [tokens, count] = [0n, 0];
  for (;;) {
    const next: NextOrder = nextOrder({ ...plan.split, tradedWei, gasWei }, cost);
    if (next.kind !== 'order') return { tokens, count, tradedWei };
    const [best] = [...pools].sort((one, other) => Number(other.quote(next.tradeWei) - one.quote(next.tradeWei)));
    tokens += best?.buy(next.tradeWei) ?? 0n;
    tradedWei += next.tradeWei;
    gasWei += (count === 0 ? cost.gas : laterGas) * cost.gasPriceWei;
    count += 1;
  }
}

describe('a calm job delivers its plan (design § 4a)', () => {
  it.each([
    ['Uniswap V2', () => [v2()]],
    ['Camelot', () => [camelot()]],
    ['Uniswap V3 across its ticks', () => [v3()]],
    ['all of them together', () => [v2(), camelot(), v3()]],
    ['a token without decimals', () => [constantProduct(parseHype('40'), 40_000_000n)]],
  ])('of %s: tokens to half a hundredth, rest exactly', (_shape, pools) => {
    for (const [hype, gwei] of [
      ['0.25', 1n],
      ['1', 3n],
      ['3', 1n],
    ] as const) {
      const request = requestOf(hype, pools(), { gasPriceWei: gwei * GWEI });
      const plan = planJob(request);
      const job = runJob(request, pools(), plan);
      expect(plan.orders.count).toBe(job.count);
      expect(plan.spendableWei).toBe(job.tradedWei);
      const off = Number(plan.purchase?.tokens) / Number(job.tokens) - 1;
      expect(Math.abs(off)).toBeLessThan(0.005);
      expect(isRefused(plan)).toBe(false);
    }
  });
});

it.each(['1', '5', '37.3'])('a calm job of %s HYPE matches its plan', (hype) => {
  const laterGas = 95_000n;
  const request = requestOf(hype, [], { pools: [{ ...stateOf(v2('4000'), parseHype(hype)), laterGas }] });
  const plan = planJob(request);
  const job = runJob(request, [v2('4000')], plan, laterGas);
  expect(Math.abs(plan.orders.count - job.count)).toBeLessThanOrEqual(1);
  const off = Number(plan.purchase?.tokens) / Number(job.tokens) - 1;
  expect(Math.abs(off)).toBeLessThan(0.001);
});

it.each(['0.25', '0.5', '1', '2', '5', '37.3'])('a calm job of %s HYPE places the shown orders', (hype) => {
  const request = requestOf(hype, [v2('4000')]);
  const plan = planJob(request);
  const { count } = runJob(request, [v2('4000')], plan);
  const { lower, upper } = estimateOrders(request.depositWei);
  expect(count).toBe(plan.orders.count);
  expect(count).toBeGreaterThanOrEqual(lower);
  expect(count).toBeLessThanOrEqual(upper);
  expect(plan.warnings).not.toContain('fewer_orders_than_estimated');
});

describe('a plan', () => {
  it('states count, size, interval and times of orders', () => {
    const plan = planJob(requestOf('0.5', [v2()]));
    expect(plan.orders).toEqual({ count: 625, sizeWei: STANDARD_ORDER_WEI, merged: 1, intervalMs: 138_240 });
    expect(plan.startAtMs).toBe(START);
    expect(plan.expectedEndAtMs).toBe(START + DAY_MS);
    expect(plan.tradingEndsAtMs).toBe(START + 2 * DAY_MS);
    expect(plan.latestEndAtMs).toBe(plan.tradingEndsAtMs + DEFAULT_PLAN_LIMITS.endingAllowanceMs);
    expect(plan.warnings).toEqual(['only_one_pool']);
    expect(plan.purchase).toMatchObject({ exchange: 'exchange-0', orderImpactBps: 1n, impactBps: 63n });
  });

  it('states merged orders and gas from the budget', () => {
    const plan = planJob(requestOf('0.5', [v2()], { gasPriceWei: 6n * GWEI }));
    expect(plan.orders).toMatchObject({ merged: 4, sizeWei: 4n * STANDARD_ORDER_WEI, intervalMs: 4 * 138_240 });
    expect(plan.gas.fromBudgetWei).toBeGreaterThan(0n);
    expect(plan.warnings).toEqual(['fewer_orders_than_estimated', 'only_one_pool']);
    expect(plan.expectedEndAtMs).toBeLessThan(START + DAY_MS);
  });

  it('states the wait above the guardrail', () => {
    const above = planJob(requestOf('0.5', [v2()], { gasPriceWei: 11n * GWEI }));
    const at = planJob(requestOf('0.5', [v2()], { gasPriceWei: 10n * GWEI }));
    expect(above.warnings).toEqual(['gas_above_guardrail', ...at.warnings]);
    expect(above.orders).toEqual(at.orders);
  });

  it('states the part within the band', () => {
    // 3.4 HYPE into a pool of 43: with 4.9 % of it the price has risen by 10 %.
    const plan = planJob(requestOf('5', [v2('43')]));
    expect(plan.warnings).toEqual(['pool_takes_only_part', 'fewer_orders_than_estimated', 'only_one_pool']);
    expect(Number(plan.spendableWei) / 1e18).toBeCloseTo(2.1, 1);
    expect(plan.purchase?.priceRiseBps).toBeLessThanOrEqual(1000n);
    expect(plan.purchase?.priceRiseBps).toBeGreaterThan(995n);
    expect(plan.expectedEndAtMs).toBe(plan.tradingEndsAtMs);
  });

  it('names the risk of a single pool', () => {
    expect(planJob(requestOf('0.5', [v2(), v2()])).warnings).toEqual([]);
    expect(planJob(requestOf('0.5', [v2()])).warnings).toEqual(['only_one_pool']);
  });

  it('states what a token with limits takes', () => {
    const limited = (tokenLimits: TokenLimits) => planJob(requestOf('0.5', [v2()], { tokenLimits }));
    const mostSpentWei = 5n * STANDARD_ORDER_WEI;
    expect(limited({ refusesSecond: false, mostSpentWei })).toMatchObject({
      warnings: ['token_limits_holdings', 'only_one_pool'],
      tokenTakesWei: mostSpentWei,
    });
    expect(limited({ refusesSecond: true }).warnings).toEqual(['token_limits_purchases', 'only_one_pool']);
    const enough = limited({ refusesSecond: false, mostSpentWei: 625n * STANDARD_ORDER_WEI });
    expect(enough.warnings).toEqual(['only_one_pool']);
    expect(enough).not.toHaveProperty('tokenTakesWei');
  });

  it('measures the band from the seen price', () => {
    const seen = planJob(requestOf('0.5', [v2()])).purchase?.seenPriceX96 ?? 0n;
    const risen = v2();
    risen.buy(parseHype('3'));
    const plan = planJob(requestOf('0.5', [risen], { seenPriceX96: seen }));
    expect(plan.warnings).toEqual(['no_pool']);
    expect(isRefused(plan)).toBe(true);
  });

  it('states a duration beyond the window', () => {
    const booked = { gasPerSecond: whole.gasPerSecond - 200n, requestsPerHour: 0n };
    const plan = planJob(requestOf('0.5', [v2()], { capacity: { whole, booked, requestsPerOrder: 4n } }));
    expect(plan.warnings).toEqual(['longer_than_window', 'only_one_pool']);
    expect(plan.pace.gasPerSecond).toBe(100n);
    expect(plan.expectedEndAtMs - START).toBeCloseTo((625 * 130_000 * 1000) / 100, -1);
  });

  it('refuses a job that is too long or without capacity', () => {
    const busy = (free: bigint) =>
      planJob(
        requestOf('0.5', [v2()], {
          capacity: {
            whole,
            booked: { gasPerSecond: whole.gasPerSecond - free, requestsPerHour: 0n },
            requestsPerOrder: 4n,
          },
        }),
      );
    expect(busy(0n).warnings).toEqual(['no_capacity', 'only_one_pool']);
    expect(busy(20n).warnings).toEqual(['no_capacity', 'longer_than_window', 'only_one_pool']);
    expect(isRefused(busy(20n))).toBe(true);
  });

  it('takes 1000 HYPE alone on the chain', () => {
    const plan = planJob(requestOf('1000', [v2('100000')]));
    expect(isRefused(plan)).toBe(false);
    expect(plan.expectedEndAtMs - START).toBeGreaterThan(15 * DAY_MS);
    const { lower, upper } = estimateOrders(parseHype('1000'));
    expect(plan.orders.count).toBeGreaterThanOrEqual(lower);
    expect(plan.orders.count).toBeLessThanOrEqual(upper);
  });

  it('refuses a budget below one order, a missing pool', () => {
    const tooSmall = planJob({ ...requestOf('0.25', [v2()]), depositWei: LEAST_USEFUL_PAYMENT_WEI - 1n });
    expect(tooSmall.warnings).toContain('too_small_for_one_order');
    expect(planJob(requestOf('0.5', [])).warnings).toEqual(['no_pool']);
    expect(planJob({ ...requestOf('0.25', [v2()]), depositWei: LEAST_USEFUL_PAYMENT_WEI }).orders.count).toBe(1);
  });

  it('shrinks orders to the impact cap', () => {
    const limits = { ...DEFAULT_PLAN_LIMITS, impactCapBps: 5n };
    const request = { gasPriceWei: 9n * GWEI };
    const uncapped = planJob(requestOf('0.25', [v2('2')], request));
    const plan = planJob(requestOf('0.25', [v2('2')], { ...request, limits }));
    expect(uncapped.purchase?.orderImpactBps).toBeGreaterThan(5n);
    expect(plan.orders.sizeWei).toBeLessThan(uncapped.orders.sizeWei);
    expect(plan.purchase?.orderImpactBps).toBe(5n);
  });

  it('refuses a pool beyond the impact cap', () => {
    const plan = planJob(requestOf('0.25', [v2('0.5')], { limits: { ...DEFAULT_PLAN_LIMITS, impactCapBps: 1n } }));
    expect(plan.warnings).toEqual(['no_pool']);
    expect(plan.orders.count).toBe(0);
    expect(plan.purchase).toBeUndefined();
  });

  it('ignores a pool without quotes', () => {
    const empty = { exchange: 'empty', orderGas: 1n, samples: [] };
    const request = requestOf('0.5', [v2()]);
    expect(planJob({ ...request, pools: [empty, ...request.pools] })).toEqual(planJob(request));
  });

  it('plans no order that buys nothing', () => {
    const pools = [{ exchange: 'units', orderGas: 130_000n, samples: [{ inWei: parseHype('0.5'), tokens: 1n }] }];
    expect(planJob({ ...requestOf('0.5', []), pools }).warnings).toEqual(['no_pool']);
  });

  it('states gas of orders, fee, delivery and return', () => {
    const gasPriceWei = GWEI / 10n;
    const { gas, orders } = planJob(requestOf('0.5', [v2()]));
    expect(gas.ordersWei).toBe(BigInt(orders.count) * 130_000n * gasPriceWei);
    expect(gas.transfersWei).toBe(21_000n * gasPriceWei + 65_000n * gasPriceWei + 21_000n * (2n * gasPriceWei + 1n));
    const part = planJob(requestOf('5', [v2('43')]));
    expect(part.gas.ordersWei).toBe(BigInt(part.orders.count) * 130_000n * gasPriceWei);
  });

  it('takes a free pace above the shown one', () => {
    expect(planJob(requestOf('0.5', [v2()], { agreedSlotMs: 1_000_000 })).slotMs).toBe(138_240);
  });

  it('accepts the exact limits', () => {
    const limits = { ...DEFAULT_PLAN_LIMITS, longestWindowMs: DAY_MS };
    expect(planJob(requestOf('0.5', [v2()], { limits })).warnings).toEqual(['only_one_pool']);
    const least = { ...requestOf('0.25', [v2()]), depositWei: LEAST_USEFUL_PAYMENT_WEI };
    expect(planJob(least).warnings).toEqual(['only_one_pool']);
    // 0.0005 HYPE for orders: one order, as in the estimate.
    const depositWei = (parseHype('0.1005') * 10n) / 7n + 1n;
    const one = planJob({ ...requestOf('0.25', [v2()]), depositWei });
    expect(one.orders.count).toBe(estimateOrders(depositWei).lower);
    expect(one.warnings).toEqual(['only_one_pool']);
  });
});

describe('a plan of any input', () => {
  const requests = fc
    .record({
      depositWei: fc.bigInt({ min: 0n, max: parseHype('1100') }),
      hype: fc.integer({ min: 1, max: 100_000 }),
      gasPriceWei: fc.bigInt({ min: 0n, max: 12n * GWEI }),
      orderGas: fc.bigInt({ min: 60_000n, max: 500_000n }),
      booked: fc.bigInt({ min: 0n, max: whole.gasPerSecond }),
    })
    .map(({ depositWei, hype, gasPriceWei, orderGas, booked }) =>
      requestOf('0', [], {
        depositWei,
        pools: [stateOf(v2(`${hype}`), depositWei, orderGas), stateOf(v2('10'), depositWei, 160_000n)],
        gasPriceWei,
        capacity: { whole, booked: { gasPerSecond: booked, requestsPerHour: 0n }, requestsPerOrder: 4n },
      }),
    );

  it('puts every wei of the deposit into exactly one part', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { split, spendableWei, gas, returnedWei } = planJob(request);
        const gasWei = gas.ordersWei + gas.transfersWei;
        expect(split.feeWei + split.excessWei + spendableWei + gasWei + returnedWei).toBe(request.depositWei);
        expect(gas.fromReserveWei + gas.fromBudgetWei).toBe(gasWei);
        expect(spendableWei + gas.fromBudgetWei).toBeLessThanOrEqual(split.orderBudgetWei);
        expect(gas.fromReserveWei).toBeLessThanOrEqual(split.reserveWei);
        for (const wei of [spendableWei, returnedWei, ...Object.values(gas)]) expect(wei).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('ends as planned, or later by its allowance', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { startAtMs, expectedEndAtMs, tradingEndsAtMs, slotMs, split, warnings } = planJob(request);
        const scheduledMs = slotMs * (Number(split.orderBudgetWei) / Number(STANDARD_ORDER_WEI));
        expect(Math.abs(tradingEndsAtMs - startAtMs - scheduledMs - DEFAULT_PLAN_LIMITS.pauseAllowanceMs)).toBeLessThan(
          1,
        );
        expect(expectedEndAtMs).toBeGreaterThanOrEqual(startAtMs);
        expect(expectedEndAtMs).toBeLessThanOrEqual(tradingEndsAtMs);
        const longestMs = DEFAULT_PLAN_LIMITS.longestWindowMs + DEFAULT_PLAN_LIMITS.pauseAllowanceMs;
        if (!warnings.includes('no_capacity')) expect(tradingEndsAtMs - startAtMs).toBeLessThanOrEqual(longestMs + 1);
      }),
    );
  });

  it('is no slower than the shown pace', () => {
    fc.assert(
      fc.property(requests, fc.double({ min: 0.1, max: 10_000_000, noNaN: true }), (request, agreedSlotMs) => {
        const { purchase, slotMs, pace } = planJob({ ...request, agreedSlotMs });
        if (!purchase) return;
        expect(slotMs).toBeLessThanOrEqual(agreedSlotMs);
        expect(pace.gasPerSecond).toBeGreaterThan(0n);
      }),
    );
  });

  it('counts at most the estimate, merging up to sixteen', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { orders } = planJob(request);
        expect(orders.count).toBeLessThanOrEqual(estimateOrders(request.depositWei).upper);
        expect(orders.merged).toBeLessThanOrEqual(16);
      }),
    );
  });

  it('expects no fewer tokens of a deeper pool', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 1000 }), fc.integer({ min: 5, max: 1000 }), (one, other) => {
        const tokens = (hype: number) => planJob(requestOf('1', [v2(`${hype}`)])).purchase?.tokens ?? 0n;
        const [shallow, deep] = one < other ? [one, other] : [other, one];
        expect(tokens(shallow) <= tokens(deep)).toBe(true);
      }),
    );
  });
});
