import { describe, expect, it } from 'vitest';
import { concentratedLiquidityWei } from './concentrated-adapter.ts';

const Q96 = 2n ** 96n;

describe('concentratedLiquidityWei (docs/adr/0001)', () => {
  it('is the virtual reserve if the balance is larger', () => {
    const state = { sqrtPriceX96: 2n * Q96, liquidity: 100n, wrappedBalanceWei: 10_000n };
    expect(concentratedLiquidityWei({ ...state, wrappedIsToken0: false })).toBe(200n);
    expect(concentratedLiquidityWei({ ...state, wrappedIsToken0: true })).toBe(50n);
  });

  it('is the balance if the virtual reserve is larger', () => {
    const state = { sqrtPriceX96: Q96, liquidity: 10n ** 30n, wrappedBalanceWei: 7n };
    expect(concentratedLiquidityWei({ ...state, wrappedIsToken0: false })).toBe(7n);
  });

  it('is zero in a pool without a price', () => {
    expect(
      concentratedLiquidityWei({ sqrtPriceX96: 0n, liquidity: 5n, wrappedBalanceWei: 5n, wrappedIsToken0: true }),
    ).toBe(0n);
  });
});
