import { describe, expect, it } from 'vitest';
import { exchangeLabel, liquidityLines } from './liquidity-lines.ts';

describe('exchangeLabel', () => {
  it('shows the exchange in upper case (specification § 2)', () => {
    expect(exchangeLabel('hyperswap-v3')).toBe('HYPERSWAP-V3');
  });

  it("shows 'Auto-selected' when none is named (specification § 2)", () => {
    expect(exchangeLabel(undefined)).toBe('Auto-selected');
  });
});

describe('liquidityLines', () => {
  it('gives each pool its figure, rounded down', () => {
    const status = { meetsMinimum: true, hasV2: true, hasV3: true };
    expect(liquidityLines({ ...status, v2LiquidityWei: '1234567999999999999999', v3LiquidityHype: 20.5 })).toEqual([
      { name: 'V2 Liquidity', value: '1,234.56 HYPE' },
      { name: 'V3 Liquidity', value: '20.5 HYPE' },
    ]);
  });

  it.each([
    ['4000000000000000', '0.004 HYPE'],
    ['1239999999999', '0.0000012 HYPE'],
    ['59990000000000000', '0.05 HYPE'],
    ['0', '0 HYPE'],
  ])('does not print %s wei, which is little, as nothing', (v2LiquidityWei, value) => {
    const status = { meetsMinimum: true, hasV2: true, hasV3: false };
    const [ofWei] = liquidityLines({ ...status, v2LiquidityWei });
    const [ofNumber] = liquidityLines({ ...status, v2LiquidityHype: Number(v2LiquidityWei) / 1e18 });
    expect([ofWei?.value, ofNumber?.value]).toEqual([value, value]);
  });

  it("shows 'Available' without a figure", () => {
    expect(liquidityLines({ meetsMinimum: true, hasV2: false, hasV3: true })).toEqual([
      { name: 'V3 Liquidity', value: 'Available' },
    ]);
  });
});
