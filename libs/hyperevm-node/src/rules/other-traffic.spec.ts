import { describe, expect, it } from 'vitest';
import { otherTransactions } from './other-traffic.ts';

const BLOCK = { baseFeeWei: 100n, gasLimit: 3_000_000n };
const traffic = (share: number) => ({ share, tipWei: 7n, mostBaseFeeWei: 500n });
const gasOf = (share: number) => otherTransactions(traffic(share), BLOCK).reduce((sum, { gas }) => sum + gas, 0n);

describe('the traffic of other users', () => {
  it('takes its share of the block', () => {
    expect(gasOf(1)).toBe(3_000_000n);
    expect(gasOf(0.5)).toBe(1_500_000n);
    expect(gasOf(0.02)).toBe(60_000n);
    expect(gasOf(0)).toBe(0n);
  });

  it('pays the base fee and its tip', () => {
    expect(otherTransactions(traffic(1), BLOCK)[0]).toMatchObject({ maxFeePerGasWei: 107n, maxTipWei: 7n });
  });

  it('pauses above its maximum base fee', () => {
    expect(otherTransactions(traffic(1), { ...BLOCK, baseFeeWei: 501n })).toEqual([]);
  });

  it('is off by default', () => {
    expect(otherTransactions(null, BLOCK)).toEqual([]);
  });
});
