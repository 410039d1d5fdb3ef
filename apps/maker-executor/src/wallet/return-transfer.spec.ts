import { describe, expect, it } from 'vitest';
import { mostTransferred, returnTransfer } from './return-transfer.ts';

const GWEI = 1_000_000_000n;

describe('returnTransfer', () => {
  it('leaves exactly 0 wei', () => {
    const balance = 123_456_789_012_345_678n;
    const transfer = returnTransfer(balance, 21_000n, GWEI / 10n);
    if (!transfer) throw new Error('nothing to return');
    const { valueWei, fees } = transfer;
    expect(fees.maxPriorityFeePerGasWei).toBe(fees.maxFeePerGasWei);
    expect(balance - valueWei - 21_000n * fees.maxFeePerGasWei).toBe(0n);
    expect(fees.maxFeePerGasWei).toBeLessThanOrEqual(GWEI / 5n + 1n);
  });

  it('leaves dust that does not pay for its own transfer', () => {
    const gasWei = 21_000n * (2n * GWEI + 1n);
    expect(returnTransfer(gasWei, 21_000n, GWEI)).toBeUndefined();
    expect(returnTransfer(gasWei + 1n, 21_000n, GWEI)?.valueWei).toBe(1n);
  });
});

it('probes a recipient with the largest possible transfer', () => {
  const gasWei = 21_000n * (2n * GWEI + 1n);
  expect(mostTransferred(gasWei + 7n, GWEI)).toBe(7n);
  expect(mostTransferred(gasWei, GWEI)).toBeUndefined();
});
