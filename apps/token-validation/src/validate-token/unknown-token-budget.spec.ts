import { describe, expect, it } from 'vitest';
import { TooManyUnknownTokens, UnknownTokenBudget } from './unknown-token-budget.ts';

const MINUTE_MS = 60_000;

/** @returns number of allowed attempts */
function passed(budget: UnknownTokenBudget, attempts: number, client?: string): number {
  let count = 0;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      budget.spend(client);
      count += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(TooManyUnknownTokens);
    }
  }
  return count;
}

describe('UnknownTokenBudget', () => {
  // The share of validations at an endpoint with 1,000 requests a minute.
  const limits = [{ requests: 180, perMs: MINUTE_MS }];

  it('gives one client a quarter and all together three', () => {
    const budget = new UnknownTokenBudget(limits, { now: () => 0 });
    expect(passed(budget, 100, 'greedy')).toBe(7);
    expect(passed(budget, 1, 'another')).toBe(1);
    expect(passed(budget, 100)).toBe(7);
    expect(passed(budget, 100, 'third')).toBe(7);
    expect(passed(budget, 100, 'fourth')).toBe(0);
  });

  it('renews the budget after the span of the limit', () => {
    let now = 0;
    const budget = new UnknownTokenBudget(limits, { now: () => now });
    expect(passed(budget, 100, 'greedy')).toBe(7);
    now = MINUTE_MS - 1;
    expect(passed(budget, 100, 'greedy')).toBe(0);
    now = MINUTE_MS;
    expect(passed(budget, 100, 'greedy')).toBe(7);
  });

  it('allows three tokens at the smallest endpoint', () => {
    const budget = new UnknownTokenBudget([{ requests: 1, perMs: MINUTE_MS }], { now: () => 0 });
    expect(passed(budget, 100, 'visitor')).toBe(3);
  });

  it('limits no client without an endpoint limit', () => {
    const budget = new UnknownTokenBudget([...limits, undefined], { now: () => 0 });
    expect(passed(budget, 1000, 'greedy')).toBe(1000);
  });
});
