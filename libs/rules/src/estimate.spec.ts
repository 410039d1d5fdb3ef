import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { BUDGET_PRESETS, estimateOrders, formatEstimate, formatJobEstimate, isDust } from './estimate.ts';

describe('the estimate (specification § 5)', () => {
  it.each([
    ['0.5', 500, 833],
    ['0.25', 150, 250],
    ['1', 1200, 2000],
    ['2', 2600, 4333],
    ['5', 6800, 11_333],
    ['3.3', 4420, 7366],
    ['1000', 1_399_800, 2_333_000],
  ])('%s HYPE pays for %i to %i orders', (amount, lower, upper) => {
    expect(estimateOrders(parseHype(amount))).toEqual({ lower, upper });
  });

  it('is never negative', () => {
    expect(estimateOrders(parseHype('0.01'))).toEqual({ lower: 0, upper: 0 });
  });
});

describe('the preset cards show the table of specification § 2', () => {
  it('quotes its rows', () => {
    expect(BUDGET_PRESETS.map(({ amount, name, estimatedMakers: estimate }) => [amount, name, estimate])).toEqual([
      ['0.5', 'Light Boost', '500~830'],
      ['1', 'Moderate Boost', '1200~2000'],
      ['2', 'Strong Boost', '2600~4300'],
      ['5', 'Extended Boost', '6800~11300'],
    ]);
    for (const preset of BUDGET_PRESETS) expect(parseHype(preset.amount)).toBe(preset.amountWei);
  });

  it.each([
    ['0.5', '500~833'],
    ['2', '2600~4333'],
    ['5', '6800~11333'],
  ])('shows %s HYPE as %s by the formula', (amount, shown) => {
    expect(formatEstimate(estimateOrders(parseHype(amount)))).toBe(shown);
  });

  it('keeps the figures of a preset card for its job', () => {
    for (const { amountWei, estimatedMakers } of BUDGET_PRESETS)
      expect(formatJobEstimate(estimateOrders(amountWei))).toBe(estimatedMakers);
    expect(formatJobEstimate(estimateOrders(parseHype('3')))).toBe('4000~6666');
  });
});

it('a deposit is dust below the cheapest order, 0.0003 HYPE', () => {
  expect(isDust(parseHype('0.0003') - 1n)).toBe(true);
  expect(isDust(parseHype('0.0003'))).toBe(false);
});
