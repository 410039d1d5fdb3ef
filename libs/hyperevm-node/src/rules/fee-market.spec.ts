import { describe, expect, it } from 'vitest';
import { LOWEST_BASE_FEE_WEI, nextBaseFee } from './fee-market.ts';

const GWEI = 1_000_000_000n;
const block = (gasUsed: bigint, baseFeeWei = GWEI) => ({ baseFeeWei, gasUsed, gasLimit: 3_000_000n });

describe('the base fee', () => {
  it('moves by an eighth after full or empty blocks', () => {
    expect(nextBaseFee(block(3_000_000n))).toBe(1_125_000_000n);
    expect(nextBaseFee(block(0n))).toBe(875_000_000n);
  });

  it('stays after a block that is half full', () => {
    expect(nextBaseFee(block(1_500_000n))).toBe(GWEI);
  });

  it('never falls below 0.1 gwei', () => {
    expect(nextBaseFee(block(0n, LOWEST_BASE_FEE_WEI))).toBe(100_000_000n);
    expect(nextBaseFee(block(0n, 110_000_000n))).toBe(100_000_000n);
  });

  it('rises by at least one wei', () => {
    const large = { baseFeeWei: 200_000_000n, gasUsed: 1_500_000_000_001n, gasLimit: 3_000_000_000_000n };
    expect(nextBaseFee(large)).toBe(200_000_001n);
  });
});
