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
  tipWei: 0n,
  isStarved: false,
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

  describe('of an order', () => {
    const order = { ...stuck('order'), gasLimit: 200_000 };
    const worth = (tradeWei: bigint) => ({
      ...order,
      attempts: order.attempts.map((attempt) => ({ ...attempt, valueWei: tradeWei })),
    });
    const standard = worth(400_000_000_000_000n);

    it('pays the risen base fee as long as its gas costs no more than its trade (docs/adr/0026)', () => {
      expect(replacementOf(standard, when((GWEI * 3n) / 2n))).toEqual({
        valueWei: 400_000_000_000_000n,
        maxFeePerGasWei: 2n * GWEI,
        maxPriorityFeePerGasWei: 0n,
      });
      expect(replacementOf(standard, when(3n * GWEI))).toBeUndefined();
    });

    it('that finds no room although it pays the base fee offers a tip, a larger one each time (hyperevm § 1.3)', () => {
      const starved = replacementOf(standard, when(GWEI / 10n, { isStarved: true }));
      expect(starved?.maxPriorityFeePerGasWei).toBe(GWEI / 80n);
      const usual = replacementOf(standard, when(GWEI / 10n, { isStarved: true, tipWei: GWEI / 2n }));
      expect(usual?.maxPriorityFeePerGasWei).toBe(GWEI / 2n);
      const [attempt] = standard.attempts;
      const again = { ...standard, attempts: attempt ? [{ ...attempt, maxPriorityFeePerGasWei: GWEI / 2n }] : [] };
      expect(replacementOf(again, when(GWEI / 10n, { isStarved: true }))?.maxPriorityFeePerGasWei).toBe(GWEI);
    });

    it('never pays more than the guardrail (specification § 9)', () => {
      const merged = worth(6_400_000_000_000_000n);
      expect(replacementOf(merged, when(9n * GWEI))?.maxFeePerGasWei).toBe(10n * GWEI);
      expect(replacementOf(merged, when(11n * GWEI))).toBeUndefined();
    });

    it('that nobody waits for any more uses up its nonce by a transaction that does nothing, though it could be mined', () => {
      const unwanted = { isUnwanted: true };
      expect(replacementOf(standard, when(GWEI / 10n, unwanted))).toMatchObject({ valueWei: 0n, isVoid: true });
      const voided = replacementOf(standard, when(5n * GWEI, unwanted));
      expect(voided).toEqual({
        valueWei: 0n,
        isVoid: true,
        maxFeePerGasWei: 10n * GWEI,
        maxPriorityFeePerGasWei: 0n,
      });
    });

    it('that was made void is not made so again while that can be mined', () => {
      const [attempt] = standard.attempts;
      const voided = { ...standard, attempts: attempt ? [{ ...attempt, valueWei: 0n, isVoid: true as const }] : [] };
      expect(replacementOf(voided, when(GWEI / 10n, { isUnwanted: true }))).toBeUndefined();
    });
  });

  it('waits where the base fee is above the cap', () => {
    expect(replacementOf(stuck('fee'), when(50n * GWEI))).toBeUndefined();
  });
});
