import { agreedPlanSchema, jobPlanSchema } from '@maker/contracts';
import { NO_PACE, type Pace, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { agreedPlan, capacityOf, largestBudget, makePaidPlan, makePlan, publishedPlan } from './make-plan.ts';
import { marketFixture, planFixture, termsFixture } from './market.fixture.ts';

const HALF = parseHype('0.5');
const DAY_MS = 86_400_000;
const terms = termsFixture();
const market = marketFixture();
const question = { depositWei: HALF, startAtMs: 0, market, booked: NO_PACE };

describe('a published plan', () => {
  it('passes its schema and accounts for every wei', () => {
    const plan = planFixture(HALF);
    expect(jobPlanSchema.parse(plan)).toEqual(plan);
    const parts = [plan.feeWei, plan.spendableWei, plan.gas.ordersWei, plan.gas.transfersWei, plan.returnedWei];
    expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(HALF);
  });

  it('shows the limit of a limited token', () => {
    const limited = marketFixture(3000n, { limits: { refusesSecond: false, mostSpentWei: '1000' } });
    const plan = publishedPlan(terms, makePlan(terms, { ...question, market: limited }), limited);
    expect(plan).toMatchObject({ tokenTakesWei: '1000', warnings: ['token_limits_holdings', 'only_one_pool'] });
    expect(jobPlanSchema.parse(plan)).toEqual(plan);
  });

  it('follows the configuration (design § 4a)', () => {
    const quick = termsFixture({
      JOB_EXECUTION_WINDOW_SECONDS: '3600',
      JOB_ORDER_REQUESTS_PER_MINUTE: '400',
    });
    const plan = publishedPlan(quick, makePlan(quick, question), market);
    expect(plan).toMatchObject({ limits: { bandBps: 1000, slippageBps: 100 } });
    expect(Date.parse(plan?.expectedEndAt ?? '')).toBe(3_600_000);
  });

  it('has every term of the configuration in its own unit', () => {
    const configured = termsFixture({
      JOB_EXECUTION_WINDOW_SECONDS: '11',
      JOB_PAUSE_ALLOWANCE_SECONDS: '13',
      JOB_BLOCK_SHARE_BPS: '18',
      JOB_ORDER_REQUESTS_PER_MINUTE: '19',
    });
    expect(configured).toEqual({
      limits: {
        windowMs: 11_000,
        longestWindowMs: 2_592_000_000,
        pauseAllowanceMs: 13_000,
        endingAllowanceMs: 3_600_000,
        slippageBps: 100n,
        impactCapBps: 50n,
        bandBps: 1000n,
      },
      shareBps: 18n,
      requestsPerMinute: 19n,
    });
  });

  it('equals its source plan to the wei and millisecond', () => {
    const plan = makePlan(terms, question);
    const { split, orders, purchase, gas } = plan;
    expect(publishedPlan(terms, plan, market)).toMatchObject({
      depositWei: `${HALF}`,
      feeWei: `${split.feeWei}`,
      orderBudgetWei: `${split.orderBudgetWei}`,
      reserveWei: `${split.reserveWei}`,
      orders: { ...orders, sizeWei: `${orders.sizeWei}` },
      slotMs: plan.slotMs,
      startsAt: '1970-01-01T00:00:00.000Z',
      expectedEndAt: new Date(plan.expectedEndAtMs).toISOString(),
      tradingEndsAt: new Date(plan.tradingEndsAtMs).toISOString(),
      latestEndAt: new Date(plan.latestEndAtMs).toISOString(),
      purchase: { exchange: 'hyperswap-v2', tokens: `${purchase?.tokens}`, impactBps: Number(purchase?.impactBps) },
      gas: { fromReserveWei: `${gas.fromReserveWei}`, fromBudgetWei: `${gas.fromBudgetWei}` },
      limits: { slippageBps: 100, impactCapBps: 50, bandBps: 1000 },
      warnings: plan.warnings,
      assumes: { gasPriceWei: market.gasPriceWei, block: market.block },
      token: market.token,
    });
  });

  it('carries all warnings of its source plan', () => {
    const warnings = ['gas_above_guardrail', 'longer_than_window'] as const;
    expect(publishedPlan(terms, { ...makePlan(terms, question), warnings }, market)?.warnings).toEqual(warnings);
  });

  it('includes money beyond the largest budget in the deposit', () => {
    const depositWei = parseHype('1001');
    const plan = makePlan(terms, { ...question, depositWei });
    const rich = marketFixture(1_000_000n);
    expect(publishedPlan(terms, makePlan(terms, { ...question, depositWei, market: rich }), rich)?.depositWei).toBe(
      `${depositWei}`,
    );
    expect(plan.split.excessWei).toBe(parseHype('1'));
  });

  it('is undefined if nothing can be bought', () => {
    const empty = { ...market, pools: [] };
    expect(publishedPlan(terms, makePlan(terms, { ...question, market: empty }), empty)).toBeUndefined();
  });

  it('uses less gas for later orders if known', () => {
    const pools = market.pools.map((pool) => ({ ...pool, laterGas: '90000' }));
    const later = makePlan(terms, { ...question, market: { ...market, pools } });
    const same = makePlan(terms, question);
    expect(same.gas.ordersWei).toBe(BigInt(same.orders.count) * 133_000n * 100_000_000n);
    expect(later.gas.ordersWei).toBe(BigInt(later.orders.count) * 90_000n * 100_000_000n);
  });

  it('gives maker-executor times, limits and the price', () => {
    const plan = planFixture(HALF);
    expect(agreedPlanSchema.parse(agreedPlan(plan))).toMatchObject({
      tradingEndsAt: plan.tradingEndsAt,
      latestEndAt: plan.latestEndAt,
      seenPriceX96: plan.purchase.seenPriceX96,
      bandBps: 1000,
      minuteGas: 18_000_000,
    });
  });
});

it('refuses a job above the bookable share', () => {
  const roomy = termsFixture({ JOB_ORDER_REQUESTS_PER_MINUTE: '4000' });
  const all = capacityOf(roomy, market);
  const warnings = (percent: bigint) => {
    const booked = { gasPerSecond: 0n, requestsPerHour: (all.requestsPerHour * percent) / 100n };
    return makePlan(roomy, { ...question, booked }).warnings;
  };
  expect(warnings(96n)).toContain('no_capacity');
  expect(warnings(95n)).not.toContain('no_capacity');
});

describe('the largest budget of one job', () => {
  const slow = termsFixture({ JOB_ORDER_REQUESTS_PER_MINUTE: '40' });
  const large = { ...question, depositWei: parseHype('1000') };

  it('is what an idle bot trades in time', () => {
    const largest = largestBudget(slow, large) ?? 0n;
    expect(largest).toBeGreaterThan(parseHype('150'));
    expect(largest).toBeLessThan(parseHype('180'));
    expect(makePlan(slow, { ...large, depositWei: largest }).warnings).not.toContain('no_capacity');
    const above = makePlan(slow, { ...large, depositWei: largest + parseHype('1') });
    expect(above.warnings).toContain('no_capacity');
  });

  it('is unlimited when only other jobs block it', () => {
    expect(largestBudget(terms, { ...question, booked: capacityOf(terms, market) })).toBeUndefined();
  });

  it('is unlimited when the chain has no room', () => {
    expect(largestBudget(terms, { ...question, market: marketFixture(3000n, { blockGas: '100' }) })).toBeUndefined();
  });

  it('is the specified maximum at 600 requests a minute', () => {
    const roomy = termsFixture({ JOB_ORDER_REQUESTS_PER_MINUTE: '600' });
    expect(makePlan(roomy, large).warnings).not.toContain('no_capacity');
  });
});

describe('the plan of a paid job', () => {
  it('keeps the price that the visitor saw before payment', () => {
    const seenPriceX96 = (BigInt(planFixture(HALF).purchase.seenPriceX96) * 99n) / 100n;
    expect(makePaidPlan(terms, { ...question, seenPriceX96 }).purchase?.seenPriceX96).toBe(seenPriceX96);
  });

  it.each([0, 90, 97, 100, 300])('keeps its shown end after %i %% were booked', (part) => {
    const all = capacityOf(terms, market);
    const booked = {
      gasPerSecond: (all.gasPerSecond * BigInt(part)) / 100n,
      requestsPerHour: (all.requestsPerHour * BigInt(part)) / 100n,
    };
    const shown = makePlan(terms, question);
    const paid = makePaidPlan(terms, { ...question, booked, agreedSlotMs: shown.slotMs });
    expect(paid).toMatchObject({ latestEndAtMs: shown.latestEndAtMs, pace: shown.pace, warnings: shown.warnings });
  });

  it('takes the longest time for an overpayment without room', () => {
    const { slotMs } = makePlan(terms, question);
    const booked = capacityOf(terms, market);
    const paid = makePaidPlan(terms, { ...question, depositWei: parseHype('50'), booked, agreedSlotMs: slotMs });
    expect(paid.warnings).not.toContain('no_capacity');
    expect(paid.expectedEndAtMs).toBeLessThanOrEqual(30 * DAY_MS);
  });

  it('takes the longest time, never refused, without room', () => {
    const all: Pace = capacityOf(terms, market);
    expect(makePlan(terms, { ...question, booked: all }).warnings).toContain('no_capacity');
    const plan = makePaidPlan(terms, { ...question, booked: all });
    expect(plan.warnings).not.toContain('no_capacity');
    expect(plan.expectedEndAtMs).toBe(30 * DAY_MS);
    expect(plan.pace.gasPerSecond).toBeGreaterThan(0n);
  });
});
