import { PRICE_SCALE, parseHype } from '@maker/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averagePrice, hype, tokenAmount, tokenPrice } from './amounts.ts';

describe('hype', () => {
  it('groups thousands and cuts instead of rounding up', () => {
    expect(hype(parseHype('1234.5'))).toBe('1,234.5 HYPE');
    expect(hype(parseHype('0.9999999'))).toBe('0.999999 HYPE');
    expect(hype('0')).toBe('0 HYPE');
  });

  it('never shows a small amount as 0', () => {
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
  it('divides the spent HYPE by the bought tokens', () => {
    expect(averagePrice(parseHype('0.5'), 2_000_000n, 6)).toBe('0.25');
    expect(averagePrice(parseHype('1'), parseHype('3000000'), 18)).toBe('0.00000033333');
  });

  it('is undefined before the first purchase', () => {
    expect(averagePrice(0n, 0n, 18)).toBeUndefined();
  });
});

describe('shown amounts', () => {
  const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
  const GROUPED = /^(0|[1-9]\d{0,2}(,\d{3})*)(\.\d*[1-9])?$/;
  const ungrouped = (text: string) => text.replaceAll(',', '');

  it('rounds down and uses no exponents', () => {
    fc.assert(
      fc.property(amounts, (wei) => {
        const [shown = ''] = hype(wei).split(' ');
        if (shown.startsWith('<')) {
          expect(wei).toBeGreaterThan(0n);
          return;
        }
        expect(shown).toMatch(GROUPED);
        const read = parseHype(ungrouped(shown));
        expect(read <= wei && wei - read < 10n ** 12n).toBe(true);
      }),
    );
  });

  it('keeps whole units and five significant digits', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 36 }), (units, decimals) => {
        const shown = tokenAmount(units, decimals);
        expect(shown).toMatch(GROUPED);
        const [whole = '', fraction = ''] = ungrouped(shown).split('.');
        const read = BigInt(whole + fraction.padEnd(decimals, '0'));
        const missing = units - read;
        expect(missing >= 0n && missing < 10n ** BigInt(decimals)).toBe(true);
        expect(missing * 10_000n <= units).toBe(true);
      }),
    );
  });
});

it('prints the HYPE price of a whole token', () => {
  expect(tokenPrice((PRICE_SCALE * 38n) / 100_000n, 18)).toBe('0.00038');
  expect(tokenPrice(PRICE_SCALE * 200_000_000n, 6)).toBe('0.0002');
});
