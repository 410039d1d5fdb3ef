import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ascending,
  formatHype,
  formatHypeShort,
  formatUnits,
  hypeForBody,
  hypeNumberToWei,
  InvalidAmountError,
  parseHype,
} from './amounts.ts';

describe('amounts are exact to the wei (design § 8: bigint wei)', () => {
  it.each([
    ['0.5', 500_000_000_000_000_000n],
    ['0.25', 250_000_000_000_000_000n],
    ['1000', 1000n * 10n ** 18n],
    ['0.000000000000000001', 1n],
    ['007.10', 7_100_000_000_000_000_000n],
    [' 0.5 ', 500_000_000_000_000_000n],
  ])('reads %s HYPE as %s wei', (text, wei) => {
    expect(parseHype(text)).toBe(wei);
  });

  it.each(['', '-1', '1e18', '0x10', '1,5', '.5', '1.', 'NaN', '0.0000000000000000001'])('refuses %j', (text) => {
    expect(() => parseHype(text)).toThrow(InvalidAmountError);
  });

  it('names the refused text and the expected form', () => {
    expect(() => parseHype('1,5')).toThrow(
      expect.objectContaining({
        name: 'InvalidAmountError',
        code: 'INVALID_AMOUNT',
        message: "'1,5' is not an amount in HYPE: expected a decimal number with at most 18 decimals",
      }),
    );
  });

  it.each([
    [9, '9'],
    [0.1 + 0.2, '0.3'],
    [0.7 + 0.1, '0.8'],
    [1.1 + 2.2, '3.3'],
    [Array.from({ length: 100 }, () => 0.01).reduce((sum, one) => sum + one), '1'],
    [0.123456789, '0.123456789'],
    [999.999999999, '999.999999999'],
    [1e-9, '0.000000001'],
    [2.5e2, '250'],
    [0, '0'],
    [-0, '0'],
  ])('reads the number %d as %s HYPE', (number, hype) => {
    expect(hypeNumberToWei(number)).toBe(parseHype(hype));
  });

  it.each([
    [0.1234567891, 'at most 9 decimals'],
    [0.3000000000001, 'at most 9 decimals'],
    [1e-10, 'at most 9 decimals'],
    [5e-324, 'at most 9 decimals'],
    [-1, 'from 0 to 999999'],
    [-1e-7, 'from 0 to 999999'],
    [1e6, 'from 0 to 999999'],
    [1e21, 'from 0 to 999999'],
    [Number.NaN, 'from 0 to 999999'],
    [Number.POSITIVE_INFINITY, 'from 0 to 999999'],
  ])('refuses the number %d by name', (number, expected) => {
    const refusal = { code: 'INVALID_AMOUNT', message: expect.stringContaining(expected) };
    expect(() => hypeNumberToWei(number)).toThrow(expect.objectContaining(refusal));
    expect(() => hypeNumberToWei(number)).toThrow(String(number));
  });

  it('writes a number in a body only if exact', () => {
    expect(hypeForBody(parseHype('0.25'))).toBe(0.25);
    expect(hypeForBody(parseHype('999.123456789'))).toBe(999.123456789);
    expect(hypeForBody(parseHype('0.2500000001'))).toBe('0.2500000001');
    expect(hypeForBody(parseHype('1000000'))).toBe('1000000');
  });

  it('prints amounts as read', () => {
    for (const text of ['0', '0.5', '12.000000000000000001', '1000']) expect(formatHype(parseHype(text))).toBe(text);
    expect(formatHype(-parseHype('0.3'))).toBe('-0.3');
  });

  it('sorts by size and keeps ties in order', () => {
    expect([3n, 1n, 2n].sort(ascending)).toEqual([1n, 2n, 3n]);
    expect([ascending(1n, 2n), ascending(2n, 2n), ascending(2n, 1n)]).toEqual([-1, 0, 1]);
  });

  it('never rounds a displayed amount up', () => {
    expect(formatHypeShort(parseHype('0.99999'))).toBe('0.9999');
    expect(formatHypeShort(parseHype('2'))).toBe('2');
  });
});

describe('no amount loses a digit', () => {
  /** Any amount that fits into an EVM word. */
  const wei = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
  const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;

  it('when printed and read, without exponent', () => {
    fc.assert(
      fc.property(wei, (amount) => {
        const printed = formatHype(amount);
        expect(printed).toMatch(PLAIN);
        expect(parseHype(printed)).toBe(amount);
        expect(formatHype(-amount)).toBe(amount === 0n ? '0' : `-${printed}`);
      }),
    );
  });

  it('when it has any number of decimals', () => {
    fc.assert(
      fc.property(wei, fc.integer({ min: 0, max: 77 }), (units, decimals) => {
        const printed = formatUnits(units, decimals);
        expect(printed).toMatch(PLAIN);
        const [whole = '', fraction = ''] = printed.split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(units);
      }),
    );
  });

  it('when it is typed, with zeros before and after', () => {
    const digits = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength });
    fc.assert(
      fc.property(digits(60), digits(18), (whole, fraction) => {
        expect(parseHype(`${whole}.${fraction}`)).toBe(BigInt(whole + fraction.padEnd(18, '0')));
        expect(parseHype(whole)).toBe(BigInt(whole) * 10n ** 18n);
      }),
    );
  });

  it('when it is a number with at most 9 decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (nanos) => {
        const amount = nanos * 10n ** 9n;
        const written = hypeForBody(amount);
        expect(typeof written).toBe('number');
        expect(hypeNumberToWei(Number(written))).toBe(amount);
      }),
      { numRuns: 1000 },
    );
  });

  it('when it is the noisy sum of such numbers', () => {
    const cents = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        expect(hypeNumberToWei(one / 100 + other / 100)).toBe(BigInt(one + other) * 10n ** 16n);
      }),
      { numRuns: 1000 },
    );
  });

  it('or refuses text of another form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\d+(\.\d{1,18})?$/.test(text.trim()));
        expect(() => parseHype(text)).toThrow(InvalidAmountError);
      }),
    );
  });

  it('and rounds down for display', () => {
    fc.assert(
      fc.property(wei, fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
        const shown = parseHype(formatHypeShort(amount, decimals));
        expect(shown <= amount && amount - shown < 10n ** BigInt(18 - decimals)).toBe(true);
      }),
    );
  });
});
