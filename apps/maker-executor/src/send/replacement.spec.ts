import { describe, expect, it } from 'vitest';
import { replacementOf } from './replacement.ts';
import type { TransactionPurpose, TransactionRecord } from './transaction.ts';

const GWEI = 1_000_000_000n;

function stuck(purpose: TransactionPurpose): TransactionRecord {
  const fees = { maxFeePerGasWei: GWEI, maxPriorityFeePerGasWei: purpose === 'return' ? GWEI : 0n };
  return {
    id: `job/${purpose}`,
    jobId: 'job',
    purpose,
    state: 'broadcast',
    chainId: 31337,
    sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    nonce: 3,
    to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    data: '0x',
    gasLimit: 21_000,
    attempts: [{ hash: '0x1', rawTransaction: '0x02', valueWei: 10n ** 18n, ...fees }],
    inclusion: null,
    createdAt: new Date(0),
  };
}

describe('replacementOf (design § 5)', () => {
  it('keeps the same bytes while they can still be mined', () => {
    expect(replacementOf(stuck('fee'), GWEI)).toBeUndefined();
  });

  it('raises the fee by at least 12.5 % when the base fee is above it, and moves the same value', () => {
    const replacement = replacementOf(stuck('fee'), GWEI + 1n);
    expect(replacement?.valueWei).toBe(10n ** 18n);
    expect(replacement?.maxFeePerGasWei).toBe(2n * (GWEI + 1n));
    expect(replacement?.maxPriorityFeePerGasWei).toBe(0n);
  });

  it('takes the dearer gas of a return out of what it returns, so that the wallet still ends empty', () => {
    const replacement = replacementOf(stuck('return'), 2n * GWEI);
    const price = replacement?.maxFeePerGasWei ?? 0n;
    expect(replacement?.maxPriorityFeePerGasWei).toBe(price);
    expect((replacement?.valueWei ?? 0n) + 21_000n * price).toBe(10n ** 18n + 21_000n * GWEI);
  });

  it('never replaces an order: its fees are the most that its published cost allows', () => {
    expect(replacementOf(stuck('order'), 5n * GWEI)).toBeUndefined();
  });

  it('waits where the base fee is above the cap', () => {
    expect(replacementOf(stuck('fee'), 50n * GWEI)).toBeUndefined();
  });
});
