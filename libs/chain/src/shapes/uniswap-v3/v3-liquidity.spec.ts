import { describe, expect, it } from 'vitest';
import { v3LiquidityWei } from './v3-liquidity.ts';

const Q96 = 2n ** 96n;

describe('v3LiquidityWei (docs/adr/0001)', () => {
  it('is the virtual reserve where a pool holds more wrapped HYPE than trades at this price', () => {
    const state = { sqrtPriceX96: 2n * Q96, liquidity: 100n, wrappedBalanceWei: 10_000n };
    expect(v3LiquidityWei({ ...state, wrappedIsToken0: false })).toBe(200n);
    expect(v3LiquidityWei({ ...state, wrappedIsToken0: true })).toBe(50n);
  });

  it('is the balance where a narrow position pretends to be deeper than the pool is', () => {
    const state = { sqrtPriceX96: Q96, liquidity: 10n ** 30n, wrappedBalanceWei: 7n };
    expect(v3LiquidityWei({ ...state, wrappedIsToken0: false })).toBe(7n);
  });

  it('is nothing in a pool that has no price yet', () => {
    expect(v3LiquidityWei({ sqrtPriceX96: 0n, liquidity: 5n, wrappedBalanceWei: 5n, wrappedIsToken0: true })).toBe(0n);
  });
});
