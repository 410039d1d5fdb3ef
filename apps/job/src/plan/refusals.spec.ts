import { type Plan, type PlanWarning, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { AmountOutOfRange, assertPaymentAmount, assertTaken, NoCapacity, TokenNotTradable } from './refusals.ts';

const minimum = parseHype('0.25');

describe('assertPaymentAmount', () => {
  it.each(['0.25', '0.5', '1000'])('accepts %s HYPE (specification § 5)', (hype) => {
    expect(() => assertPaymentAmount(parseHype(hype), minimum)).not.toThrow();
  });

  it.each(['0', '0.249999999999999999', '1000.000000000000000001'])('refuses %s HYPE (specification § 5)', (hype) => {
    expect(() => assertPaymentAmount(parseHype(hype), minimum)).toThrow(
      expect.objectContaining({
        code: 'AMOUNT_OUT_OF_RANGE',
        message: 'The amount must be from 0.25 to 1000 HYPE',
      }),
    );
  });
});

it.each([
  [new AmountOutOfRange('too much'), 'AmountOutOfRange', 'AMOUNT_OUT_OF_RANGE'],
  [new TokenNotTradable('too much'), 'TokenNotTradable', 'TOKEN_NOT_TRADABLE'],
  [new NoCapacity('too much'), 'NoCapacity', 'NO_CAPACITY'],
])('%s has its code and its message', (error, name, code) => {
  expect(error).toMatchObject({ name, code, message: 'too much' });
});

describe('assertTaken', () => {
  const planOf = (...warnings: PlanWarning[]) => ({ warnings }) as unknown as Plan;

  it('accepts a job with warnings', () => {
    expect(() =>
      assertTaken(planOf('pool_takes_only_part', 'longer_than_window', 'gas_above_guardrail')),
    ).not.toThrow();
  });

  it.each([
    ['too_small_for_one_order', 'AMOUNT_OUT_OF_RANGE', '0.1434'],
    ['no_pool', 'TOKEN_NOT_TRADABLE', 'No pool'],
    ['no_capacity', 'NO_CAPACITY', 'booked'],
  ] as const)('refuses %s with a sentence (design § 4a)', (warning, code, words) => {
    expect(() => assertTaken(planOf(warning))).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    );
  });

  it('names the largest budget of a bot without jobs', () => {
    expect(() => assertTaken(planOf('no_capacity'), parseHype('164.05'))).toThrow(
      expect.objectContaining({
        code: 'AMOUNT_OUT_OF_RANGE',
        message: 'The bot can trade at most 164.05 HYPE for one job at this moment: please choose a smaller budget',
      }),
    );
  });
});
