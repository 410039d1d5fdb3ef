import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { MINIMUM_PAYMENT_WEI } from './budget.ts';
import { readTypedAmount, stepTypedAmount } from './typed-amount.ts';

const amount = (hype: string) => ({ kind: 'amount', wei: parseHype(hype) });

describe('readTypedAmount', () => {
  it.each([
    ['0.5', '0.5'],
    ['0,5', '0.5'],
    [',5', '0.5'],
    ['.5', '0.5'],
    ['2,', '2'],
    ['1,25', '1.25'],
    ['1,2500', '1.25'],
    ['0,250', '0.25'],
    ['1000', '1000'],
    [' 0,5 ', '0.5'],
    ['\uff10\uff0c\uff15', '0.5'],
    ['00.5', '0.5'],
  ])('reads %s as %s HYPE in every language', (typed, hype) => {
    expect(readTypedAmount(typed, '.')).toEqual(amount(hype));
    expect(readTypedAmount(typed, ',')).toEqual(amount(hype));
  });

  it.each(['1,000', '1,500', '12,500', '999,999', '1,000.5', '1.000,5', '1.000.000', '1 000', '1\u202f000', '1’000'])(
    'refuses %s, which can mean thousands',
    (typed) => {
      expect(readTypedAmount(typed, '.').kind).toBe('ambiguous');
      expect(readTypedAmount(typed, ',').kind).toBe('ambiguous');
    },
  );

  it('rejects a grouping dot by locale', () => {
    expect(readTypedAmount('1.125', '.')).toEqual(amount('1.125'));
    expect(readTypedAmount('1.125', ',').kind).toBe('ambiguous');
  });

  it.each(['abc', '1e3', '0x10', '5 HYPE', 'Infinity', 'NaN', '1.5-', '0.30000000000000004001'])(
    'refuses %s, which is no number',
    (typed) => {
      expect(readTypedAmount(typed).kind).toBe('unreadable');
    },
  );

  it.each(['-1', '−0,5', '0.0000000000000000001'])('calls %s too small', (typed) => {
    expect(readTypedAmount(typed).kind).toBe('too_small');
  });

  it('is empty for blanks', () => {
    expect(readTypedAmount('  ').kind).toBe('empty');
  });

  it('keeps each of 18 typed decimals', () => {
    expect(readTypedAmount('0.300000000000000041')).toEqual(amount('0.300000000000000041'));
  });
});

describe('stepTypedAmount', () => {
  const step = (typed: string, direction: 'up' | 'down', separator: '.' | ',' = '.') =>
    stepTypedAmount(typed, direction, MINIMUM_PAYMENT_WEI, separator);

  it('moves by 0.1 HYPE (specification § 2)', () => {
    expect(step('1.5', 'up')).toBe('1.6');
    expect(step('1.5', 'down')).toBe('1.4');
    expect(step('0.25', 'up')).toBe('0.35');
  });

  it('keeps the comma that was typed', () => {
    expect(step('1,5', 'up', ',')).toBe('1,6');
  });

  it('starts at the minimum and stays within the limits', () => {
    expect(step('', 'up')).toBe('0.25');
    expect(step('0.3', 'down')).toBe('0.25');
    expect(step('0.25', 'down')).toBe('0.25');
    expect(step('999.95', 'up')).toBe('1000');
    expect(step('1000', 'up')).toBe('1000');
  });

  it('never writes an ambiguous amount', () => {
    expect(step('0,925', 'up', ',')).toBe('1,0250');
    expect(step('0.925', 'up', ',')).toBe('1.0250');
  });

  it('leaves unreadable text unchanged', () => {
    expect(step('1,000', 'up')).toBe('1,000');
    expect(step('abc', 'down')).toBe('abc');
  });
});
