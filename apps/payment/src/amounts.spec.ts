import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { averagePrice, hype, tokenAmount } from './amounts.ts';

describe('hype', () => {
  it('groups thousands and cuts instead of rounding up', () => {
    expect(hype(parseHype('1234.5'))).toBe('1,234.5 HYPE');
    expect(hype(parseHype('0.9999999'))).toBe('0.999999 HYPE');
    expect(hype('0')).toBe('0 HYPE');
  });

  it('never shows a little as nothing', () => {
    expect(hype('1')).toBe('<0.000001 HYPE');
    expect(hype('1', 4)).toBe('<0.0001 HYPE');
  });
});

describe('tokenAmount', () => {
  it.each([
    ['1234567890', 3, '1,234,567'],
    ['12345678', 6, '12.345'],
    ['123456', 9, '0.00012345'],
    ['0', 18, '0'],
    ['5', 0, '5'],
  ])('shows %s units at %i decimals as %s', (units, decimals, text) => {
    expect(tokenAmount(units, decimals)).toBe(text);
  });
});

describe('averagePrice', () => {
  it('divides what was spent by what was bought', () => {
    expect(averagePrice(parseHype('0.5'), 2_000_000n, 6)).toBe('0.25');
    expect(averagePrice(parseHype('1'), parseHype('3000000'), 18)).toBe('0.00000033333');
  });

  it('has no price before anything was bought', () => {
    expect(averagePrice(0n, 0n, 18)).toBeUndefined();
  });
});
