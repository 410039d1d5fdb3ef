import { PLAN_WARNINGS, parseHype } from '@maker/rules';
import { planOf } from '@maker/web-kit/testing/plan';
import { describe, expect, it } from 'vitest';
import { largestUsefulWei, partWarning, planHeadline, planLines, planWarnings } from './plan-text.ts';

const timeOfDay = (iso: string) => iso.slice(5, 16);
const lines = (...changes: Parameters<typeof planOf>) =>
  planLines(planOf(...changes), timeOfDay).map((line) => line.join(': '));

describe('planLines (design § 4a)', () => {
  it('states orders, size, interval, end and price move', () => {
    expect(lines()).toEqual([
      'Orders: about 8,500 of 0.0004 HYPE',
      'Pace: one every 10 s',
      'Expected end: 01-02T12:00',
      'Latest end: 01-03T13:00',
      'Price impact: 0.12% on average',
      'Price rise by the end: 0.25%',
    ]);
  });

  it.each([
    [400, '400 ms'],
    [138_240, '2 min 18 s'],
    [120_000, '2 min'],
  ])('prints %d ms between orders as %s', (intervalMs, text) => {
    expect(lines({ orders: { ...planOf().orders, intervalMs } })[1]).toBe(`Pace: one every ${text}`);
  });
});

describe('planHeadline', () => {
  it('summarises orders and end in a line', () => {
    const plan = planOf({ expectedEndAt: '2026-01-02T12:00:00.000Z' });
    const line = (now: string) => planHeadline(plan, Date.parse(now));
    expect(line('2026-01-01T12:00:00.000Z')).toMatch(/^About 8,500 orders, done by tomorrow [^.]+\.$/);
    expect(line('2026-01-02T11:00:00.000Z')).toContain('done by today');
  });
});

describe('largestUsefulWei', () => {
  const part = (spendable: string) =>
    planOf({
      orderBudgetWei: parseHype('699.9').toString(),
      spendableWei: parseHype(spendable).toString(),
      warnings: ['pool_takes_only_part'],
    });

  it('is the largest budget that the pool takes', () => {
    expect(largestUsefulWei(part('2.1'), parseHype('0.25'))).toBe(parseHype('3.14'));
  });

  it.each([
    ['294', '420'],
    ['20.05', '28.7'],
    ['0.6', '1'],
  ])('is a round figure where %s HYPE are taken', (spendable, useful) => {
    expect(largestUsefulWei(part(spendable), parseHype('0.25'))).toBe(parseHype(useful));
  });

  it('is the largest budget that the token takes', () => {
    const limited = { tokenTakesWei: parseHype('0.6').toString(), warnings: ['token_limits_holdings' as const] };
    expect(largestUsefulWei(planOf(limited), parseHype('0.25'))).toBe(parseHype('1'));
  });

  it('is undefined when the pool takes everything or nothing', () => {
    expect(largestUsefulWei(planOf(), parseHype('0.25'))).toBeUndefined();
    expect(largestUsefulWei(part('0.01'), parseHype('0.25'))).toBeUndefined();
  });
});

describe('partWarning', () => {
  it('states the budget that the pool can use', () => {
    const plan = planOf({ spendableWei: parseHype('294').toString(), warnings: ['pool_takes_only_part'] });
    expect(partWarning({ ...plan, orderBudgetWei: parseHype('699.9').toString() })).toBe(
      'This pool can use about 420 HYPE.',
    );
  });

  it.each([
    ['0.6', 'This token accepts about 1 HYPE per wallet.'],
    ['2.8', 'This pool can use about 3.14 HYPE.'],
  ])('states the lower limit where a token takes %s HYPE', (takes, text) => {
    const limits = { spendableWei: parseHype('2.1').toString(), tokenTakesWei: parseHype(takes).toString() };
    const warnings = ['pool_takes_only_part', 'token_limits_holdings'] as const;
    expect(partWarning(planOf({ ...limits, warnings: [...warnings] }))).toBe(text);
  });
});

describe('planWarnings', () => {
  it('warns of a token that limits purchases', () => {
    expect(planWarnings(planOf({ warnings: ['token_limits_purchases'] }))).toEqual([
      'This token limits how often one wallet buys, so orders may fail. Unspent HYPE is returned. The service fee is not refunded.',
    ]);
  });

  it('shows that orders are merged at high fees', () => {
    const orders = { ...planOf().orders, merged: 4 };
    expect(planWarnings(planOf({ orders, warnings: ['fewer_orders_than_estimated'] }))).toEqual([
      'Network fees are high now, so 4 orders are merged into one. There will be fewer orders than estimated.',
    ]);
  });

  it.each([
    ['2026-01-02T14:00:00.000Z', 'about 26 hours'],
    ['2026-01-04T07:12:00.000Z', 'about 2.8 days'],
    ['2026-01-01T12:50:00.000Z', 'about 50 minutes'],
    ['2026-01-01T12:00:20.000Z', 'about a minute'],
  ])('takes a slow job’s duration from the plan: %s', (expectedEndAt, duration) => {
    expect(planWarnings(planOf({ expectedEndAt, warnings: ['longer_than_window'] }))).toEqual([
      `A job gets at most half of the bot's free capacity, so this one takes ${duration}.`,
    ]);
  });

  it('calls no bot booked that may be idle', () => {
    expect(planWarnings(planOf({ warnings: ['no_capacity'] }))).toEqual([
      'The bot has too little free capacity for this budget now.',
    ]);
  });

  it('has a sentence for each known warning only', () => {
    const all = planOf({ warnings: [...PLAN_WARNINGS] });
    expect(planWarnings(all)).toHaveLength(PLAN_WARNINGS.length - 2);
    expect(planWarnings(planOf({ warnings: ['of a newer version' as 'no_pool'] }))).toEqual([]);
  });
});
