import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { acceptTyped, judgeBudget } from './budget-choice.ts';

const MINIMUM = parseHype('0.25');
const custom = (typed: string, minimumWei = MINIMUM) => judgeBudget({ kind: 'custom', typed }, minimumWei);

describe('judgeBudget', () => {
  it('has no amount while nothing is chosen', () => {
    expect(judgeBudget({ kind: 'none' }, MINIMUM)).toEqual({});
    expect(custom('')).toEqual({});
  });

  it.each(['0.5', '1', '2', '5'])('accepts the preset of %s HYPE (specification § 2)', (amount) => {
    expect(judgeBudget({ kind: 'preset', amount }, MINIMUM)).toEqual({ amountWei: parseHype(amount) });
  });

  it('accepts exactly the minimum (specification § 5)', () => {
    expect(custom('0.25').amountWei).toBe(MINIMUM);
  });

  it.each(['0.24', '0', '-1', '0.0000001'])('names the minimum for %s (specification § 2)', (typed) => {
    expect(custom(typed)).toEqual({ problem: 'Minimum amount is 0.25 HYPE' });
  });

  it('reads a decimal comma as a decimal point', () => {
    expect(custom('0,5')).toEqual({ amountWei: parseHype('0.5'), estimateLine: 'Estimated makers: 500~833' });
  });

  it.each(['1,000', '2,500', '1.000,5'])('rejects %s, which can mean thousands', (typed) => {
    expect(custom(typed)).toEqual({
      problem: 'Write the amount without a thousands separator, such as 0.5 or 1000',
    });
  });

  it('rejects text that is not a number', () => {
    expect(custom('5 HYPE').problem).toBe('Write the amount as a number, such as 0.5');
  });

  it('names the configured fallback minimum', () => {
    expect(custom('0.005', parseHype('0.01')).problem).toBe('Minimum amount is 0.01 HYPE');
  });

  it('gives no estimate for an amount below one order', () => {
    expect(custom('0.05', parseHype('0.01'))).toEqual({ amountWei: parseHype('0.05') });
  });

  it('estimates by the formula for rounded preset cards', () => {
    expect(custom('3').estimateLine).toBe('Estimated makers: 4000~6666');
    expect(custom('0.5').estimateLine).toBe('Estimated makers: 500~833');
    expect(custom('5').estimateLine).toBe('Estimated makers: 6800~11333');
  });

  it('never has an amount that the request cannot represent', () => {
    expect(custom('0.30000000000000004001')).toEqual({ problem: 'Write the amount as a number, such as 0.5' });
    expect(custom('0.300000000000000041').amountWei).toBe(parseHype('0.300000000000000041'));
  });
});

describe('acceptTyped', () => {
  it('ignores entries above 1000 (specification § 5)', () => {
    expect(acceptTyped('100', '1001')).toBe('100');
    expect(acceptTyped('1000', '1000.1')).toBe('1000');
    expect(acceptTyped('1000', '1000,1')).toBe('1000');
  });

  it('accepts 1000 and everything below', () => {
    expect(acceptTyped('100', '1000')).toBe('1000');
    expect(acceptTyped('5', '')).toBe('');
  });
});
