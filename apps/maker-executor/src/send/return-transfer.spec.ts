import { describe, expect, it } from 'vitest';
import { returnTransfer } from './return-transfer.ts';

const GWEI = 1_000_000_000n;

describe('returnTransfer', () => {
  it('leaves exactly nothing behind (design § 4: unspent HYPE is returned)', () => {
    const balance = 123_456_789_012_345_678n;
    const transfer = returnTransfer(balance, 21_000n, GWEI / 10n);
    if (!transfer) throw new Error('nothing to return');
    const { valueWei, fees } = transfer;
    expect(fees.maxPriorityFeePerGasWei).toBe(fees.maxFeePerGasWei);
    expect(balance - valueWei - 21_000n * fees.maxFeePerGasWei).toBe(0n);
    expect(fees.maxFeePerGasWei).toBeLessThanOrEqual(GWEI / 5n + 1n);
  });

  it('leaves dust that does not pay for its own transfer', () => {
    expect(returnTransfer(21_000n * GWEI, 21_000n, GWEI)).toBeUndefined();
  });
});
