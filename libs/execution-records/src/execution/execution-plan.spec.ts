import { DEFAULT_PLAN_LIMITS, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { agreedPlan, derivedPlan } from './execution-plan.ts';

const published = {
  slotMs: 400,
  tradingEndsAt: '2027-01-17T08:00:00.000Z',
  latestEndAt: '2027-01-17T09:00:00.000Z',
  seenPriceX96: '77',
  slippageBps: 100,
  impactCapBps: 50,
  bandBps: 1000,
  minuteGas: 18_000_000,
};

describe('the plan of an execution (design § 4a)', () => {
  it('is the one that was published', () => {
    expect(agreedPlan(published)).toEqual({
      ...published,
      tradingEndsAt: new Date(published.tradingEndsAt),
      latestEndAt: new Date(published.latestEndAt),
      seenPriceX96: 77n,
    });
  });

  it('has no unseen price and no unpublished share', () => {
    const { minuteGas: _, ...without } = published;
    const plan = agreedPlan({ ...without, seenPriceX96: null });
    expect(plan.seenPriceX96).toBeNull();
    expect(plan).not.toHaveProperty('minuteGas');
  });

  it('follows from the limits where none was published', () => {
    const start = Date.parse('2027-01-01T00:00:00.000Z');
    expect(derivedPlan(parseHype('0.25'), start, DEFAULT_PLAN_LIMITS)).toEqual({
      slotMs: 138_240,
      tradingEndsAt: new Date('2027-01-03T00:00:00.000Z'),
      latestEndAt: new Date('2027-01-03T01:00:00.000Z'),
      seenPriceX96: null,
      slippageBps: 100,
      impactCapBps: 50,
      bandBps: 1000,
    });
    expect(derivedPlan(0n, start, DEFAULT_PLAN_LIMITS).slotMs).toBe(86_400_000);
  });
});
