import type { TransactionPurpose, TransactionRecord } from '@maker/execution-records';
import { FEE_CAP_WEI } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { replacementOf, type Stuck } from './replacement.ts';

const GWEI = 1_000_000_000n;

/** Returns and refunds pay their whole fee as a tip, so that no money remains. */
const emptiesMoney = (purpose: TransactionPurpose) => purpose === 'return' || purpose === 'refund';

function stuck(purpose: TransactionPurpose): TransactionRecord {
  const fees = { maxFeePerGasWei: GWEI, maxPriorityFeePerGasWei: emptiesMoney(purpose) ? GWEI : 0n };
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

/** The same transaction, last signed with another fee. */
const paying = (transaction: TransactionRecord, maxFeePerGasWei: bigint): TransactionRecord => ({
  ...transaction,
  attempts: transaction.attempts.map((attempt) => ({ ...attempt, maxFeePerGasWei })),
});

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

  it('raises the fee 12.5 % above the base fee', () => {
    const replacement = replacementOf(stuck('fee'), when(GWEI + 1n));
    expect(replacement?.valueWei).toBe(10n ** 18n);
    expect(replacement?.maxFeePerGasWei).toBe(2n * (GWEI + 1n));
    expect(replacement?.maxPriorityFeePerGasWei).toBe(0n);
  });

  it('repeats a void transaction at a higher fee', () => {
    const order = stuck('order');
    const attempts = order.attempts.map((attempt) => ({ ...attempt, valueWei: 0n, isVoid: true as const }));
    expect(replacementOf({ ...order, attempts }, when(2n * GWEI))).toEqual({
      maxFeePerGasWei: 4n * GWEI,
      maxPriorityFeePerGasWei: 0n,
      valueWei: 0n,
      isVoid: true,
    });
  });

  it('raises a fee that a node refused', () => {
    const replacement = replacementOf(stuck('fee'), when(1n, { refusedAsUnderpriced: true }));
    expect(replacement?.maxFeePerGasWei).toBe((GWEI * 1125n) / 1000n);
  });

  it.each(['return', 'refund'] as const)('takes a %s’s higher gas from its value', (purpose) => {
    const replacement = replacementOf(stuck(purpose), when(2n * GWEI));
    const price = replacement?.maxFeePerGasWei ?? 0n;
    expect(replacement?.maxPriorityFeePerGasWei).toBe(price);
    expect((replacement?.valueWei ?? 0n) + 21_000n * price).toBe(10n ** 18n + 21_000n * GWEI);
  });

  it('offers today’s tip and raises it without room', () => {
    const tipped = when(2n * GWEI, { tipWei: GWEI / 4n });
    expect(replacementOf(stuck('delivery'), tipped)).toEqual({
      valueWei: 10n ** 18n,
      maxFeePerGasWei: 4n * GWEI + GWEI / 4n,
      maxPriorityFeePerGasWei: GWEI / 4n,
    });
    expect(replacementOf(stuck('return'), tipped)?.maxFeePerGasWei).toBe(2n * (2n * GWEI + GWEI / 4n) + 1n);
    const starved = when(GWEI / 2n, { isStarved: true });
    expect(replacementOf(stuck('delivery'), starved)?.maxPriorityFeePerGasWei).toBe(GWEI / 16n);
  });

  it('is signed up to the cap above the base fee', () => {
    expect(replacementOf(stuck('fee'), when(FEE_CAP_WEI / 2n))?.maxFeePerGasWei).toBe(FEE_CAP_WEI);
    expect(replacementOf(stuck('fee'), when(FEE_CAP_WEI))?.maxFeePerGasWei).toBe(FEE_CAP_WEI);
    expect(replacementOf(stuck('fee'), when(FEE_CAP_WEI + 1n))).toBeUndefined();
    expect(replacementOf(paying(stuck('fee'), 19n * GWEI), when(1n, { refusedAsUnderpriced: true }))).toBeUndefined();
  });

  it.each(['return', 'refund'] as const)('is none for a %s that would move nothing', (purpose) => {
    const [attempt] = stuck(purpose).attempts;
    const poor = { ...stuck(purpose), attempts: attempt ? [{ ...attempt, valueWei: 1n }] : [] };
    expect(replacementOf(poor, when(2n * GWEI))).toBeUndefined();
  });

  describe('of an order', () => {
    const order = { ...stuck('order'), gasLimit: 200_000 };
    const worth = (tradeWei: bigint) => ({
      ...order,
      attempts: order.attempts.map((attempt) => ({ ...attempt, valueWei: tradeWei })),
    });
    const standard = worth(400_000_000_000_000n);

    it('follows the base fee within the trade’s value', () => {
      expect(replacementOf(standard, when((GWEI * 3n) / 2n))).toEqual({
        valueWei: 400_000_000_000_000n,
        maxFeePerGasWei: 2n * GWEI,
        maxPriorityFeePerGasWei: 0n,
      });
      expect(replacementOf(standard, when(3n * GWEI))).toBeUndefined();
    });

    it('is none below what nodes require', () => {
      expect(replacementOf(paying(standard, 1_900_000_000n), when(1_950_000_000n))).toBeUndefined();
      expect(replacementOf(paying(standard, 1_700_000_000n), when(1_950_000_000n))?.maxFeePerGasWei).toBe(2n * GWEI);
      expect(replacementOf(paying(standard, 1_700_000_000n), when(2n * GWEI))?.maxFeePerGasWei).toBe(2n * GWEI);
    });

    it('raises its tip with its fee', () => {
      const [attempt] = standard.attempts;
      const tipped = { ...standard, attempts: attempt ? [{ ...attempt, maxPriorityFeePerGasWei: GWEI }] : [] };
      expect(replacementOf(tipped, when((GWEI * 3n) / 2n))).toMatchObject({
        maxFeePerGasWei: 2n * GWEI,
        maxPriorityFeePerGasWei: (GWEI * 9n) / 8n,
      });
    });

    it('raises the tip when no room is found', () => {
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

    it('voids the nonce of an unwanted transaction', () => {
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

    it('is not voided again while the void one is minable', () => {
      const [attempt] = standard.attempts;
      const voided = { ...standard, attempts: attempt ? [{ ...attempt, valueWei: 0n, isVoid: true as const }] : [] };
      expect(replacementOf(voided, when(GWEI / 10n, { isUnwanted: true }))).toBeUndefined();
    });
  });

  describe('of a transaction that its wallet can no longer pay', () => {
    const wealth = 10n ** 18n;
    const unpayable = (mostWei: bigint, baseFeeWei = GWEI / 10n) => when(baseFeeWei, { mostWei });

    it.each(['return', 'refund'] as const)('moves the remaining money by a %s', (purpose) => {
      const mostWei = wealth - 5n;
      const replacement = replacementOf(stuck(purpose), unpayable(mostWei));
      const price = (GWEI * 1125n) / 1000n;
      expect(replacement).toEqual({
        valueWei: mostWei - 21_000n * price,
        maxFeePerGasWei: price,
        maxPriorityFeePerGasWei: price,
      });
    });

    it('moves nothing when the money pays only the gas', () => {
      const price = (GWEI * 1125n) / 1000n;
      const last = { valueWei: 0n, maxFeePerGasWei: price, maxPriorityFeePerGasWei: price };
      expect(replacementOf(stuck('return'), unpayable(21_000n * price))).toEqual(last);
      expect(replacementOf(stuck('return'), unpayable(21_000n * price - 1n))).toBeUndefined();
      expect(replacementOf(stuck('return'), unpayable(21_000n * price, price + 1n))).toBeUndefined();
    });

    it('is not signed again above the cap', () => {
      expect(replacementOf(paying(stuck('return'), 19n * GWEI), unpayable(wealth))).toBeUndefined();
    });

    it('keeps bytes that the wallet can just pay', () => {
      const costWei = wealth + 21_000n * GWEI;
      for (const purpose of ['fee', 'order', 'delivery', 'refund', 'return'] as const)
        expect(replacementOf(stuck(purpose), unpayable(costWei))).toBeUndefined();
    });

    it('voids an order within the remaining money', () => {
      const order = { ...stuck('order'), gasLimit: 200_000 };
      const price = (GWEI * 1125n) / 1000n;
      expect(replacementOf(order, unpayable(wealth))).toEqual({
        valueWei: 0n,
        isVoid: true,
        maxFeePerGasWei: price,
        maxPriorityFeePerGasWei: 0n,
      });
      expect(replacementOf(order, unpayable(21_000n * price))?.maxFeePerGasWei).toBe(price);
      expect(replacementOf(order, unpayable(21_000n * price - 1n))).toBeUndefined();
    });

    it('keeps a void one while its gas is paid', () => {
      const order = { ...stuck('order'), gasLimit: 200_000 };
      const attempts = order.attempts.map((attempt) => ({ ...attempt, valueWei: 0n, isVoid: true as const }));
      expect(replacementOf({ ...order, attempts }, unpayable(21_000n * GWEI))).toBeUndefined();
    });

    it('raises a delivery’s fee within the remaining money', () => {
      const delivery = { ...stuck('delivery'), gasLimit: 100_000 };
      const attempts = delivery.attempts.map((attempt) => ({ ...attempt, valueWei: 0n }));
      const mostWei = 100_000n * 3n * GWEI;
      expect(replacementOf({ ...delivery, attempts }, unpayable(mostWei, 2n * GWEI))?.maxFeePerGasWei).toBe(3n * GWEI);
      expect(replacementOf({ ...delivery, attempts }, unpayable(mostWei, 4n * GWEI))).toBeUndefined();
    });

    it('waits with a fee for its deposit', () => {
      expect(replacementOf(stuck('fee'), unpayable(0n))).toBeUndefined();
    });
  });

  it('waits when the base fee is above the cap', () => {
    expect(replacementOf(stuck('fee'), when(50n * GWEI))).toBeUndefined();
  });
});
