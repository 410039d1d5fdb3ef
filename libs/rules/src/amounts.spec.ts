import { describe, expect, it } from 'vitest';
import { formatHype, formatHypeShort, hypeNumberToWei, InvalidAmountError, parseHype } from './amounts.ts';

describe('amounts are exact to the wei (design § 8: bigint wei)', () => {
  it.each([
    ['0.5', 500_000_000_000_000_000n],
    ['0.25', 250_000_000_000_000_000n],
    ['1000', 1000n * 10n ** 18n],
    ['0.000000000000000001', 1n],
    ['007.10', 7_100_000_000_000_000_000n],
  ])('reads %s HYPE as %s wei', (text, wei) => {
    expect(parseHype(text)).toBe(wei);
  });

  it.each(['', '-1', '1e18', '0x10', '1,5', '.5', '1.', 'NaN', '0.0000000000000000001'])('refuses %j', (text) => {
    expect(() => parseHype(text)).toThrow(InvalidAmountError);
  });

  it('reads the number of a request body as the decimal that was written', () => {
    expect(hypeNumberToWei(0.1)).toBe(100_000_000_000_000_000n);
    expect(() => hypeNumberToWei(1e-7)).toThrow(InvalidAmountError);
    expect(() => hypeNumberToWei(Number.POSITIVE_INFINITY)).toThrow(InvalidAmountError);
  });

  it('prints what it reads', () => {
    for (const text of ['0', '0.5', '12.000000000000000001', '1000']) expect(formatHype(parseHype(text))).toBe(text);
    expect(formatHype(-parseHype('0.3'))).toBe('-0.3');
  });

  it('never rounds a displayed amount up', () => {
    expect(formatHypeShort(parseHype('0.99999'))).toBe('0.9999');
    expect(formatHypeShort(parseHype('2'))).toBe('2');
  });
});
