import { describe, expect, it } from 'vitest';
import type { TransactionPurpose, TransactionRecord } from '../transaction/transaction.ts';
import { replacementOf, type Stuck } from './replacement.ts';

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
    reversals: 0,
    createdAt: new Date(0),
  };
}

const when = (baseFeeWei: bigint, more: Partial<Stuck> = {}): Stuck => ({
  baseFeeWei,
  refusedAsUnderpriced: false,
  isUnwanted: false,
  ...more,
});

describe('replacementOf (design § 5)', () => {
  it('keeps the same bytes while they can still be mined', () => {
    expect(replacementOf(stuck('fee'), when(GWEI))).toBeUndefined();
  });

  it('raises the fee by at least 12.5 % when the base fee is above it, and moves the same value', () => {
    const replacement = replacementOf(stuck('fee'), when(GWEI + 1n));
    expect(replacement?.valueWei).toBe(10n ** 18n);
    expect(replacement?.maxFeePerGasWei).toBe(2n * (GWEI + 1n));
    expect(replacement?.maxPriorityFeePerGasWei).toBe(0n);
  });

  it('raises the fee when a node refused it as too cheap, although the base fee is below it', () => {
    const replacement = replacementOf(stuck('fee'), when(1n, { refusedAsUnderpriced: true }));
    expect(replacement?.maxFeePerGasWei).toBe((GWEI * 1125n) / 1000n);
  });

  it('takes the dearer gas of a return out of what it returns, so that the wallet still ends empty', () => {
    const replacement = replacementOf(stuck('return'), when(2n * GWEI));
    const price = replacement?.maxFeePerGasWei ?? 0n;
    expect(replacement?.maxPriorityFeePerGasWei).toBe(price);
    expect((replacement?.valueWei ?? 0n) + 21_000n * price).toBe(10n ** 18n + 21_000n * GWEI);
  });

  it('never makes an order dearer: its fees are the most that its published cost allows', () => {
    expect(replacementOf(stuck('order'), when(5n * GWEI))).toBeUndefined();
    expect(replacementOf(stuck('order'), when(1n, { refusedAsUnderpriced: true }))).toBeUndefined();
  });

  it('uses up the nonce of a stuck order that nobody waits for any more, by a transaction that does nothing', () => {
    const unwanted = { isUnwanted: true };
    expect(replacementOf(stuck('order'), when(GWEI, unwanted))).toBeUndefined();
    const voided = replacementOf(stuck('order'), when(5n * GWEI, unwanted));
    expect(voided).toEqual({
      valueWei: 0n,
      isVoid: true,
      maxFeePerGasWei: 10n * GWEI,
      maxPriorityFeePerGasWei: 0n,
    });
  });

  it('waits where the base fee is above the cap', () => {
    expect(replacementOf(stuck('fee'), when(50n * GWEI))).toBeUndefined();
  });
});
