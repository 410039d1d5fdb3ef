import { FEE_CAP_WEI, ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI, sizeOrder } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { exactFees, type Fees, orderFees, raisedFees, transferFees } from './fees.ts';

const GWEI = 1_000_000_000n;
const BUDGET = 10n ** 18n;

function effectivePrice({ maxFeePerGasWei, maxPriorityFeePerGasWei }: Fees, baseFee: bigint): bigint {
  const room = maxFeePerGasWei - baseFee;
  return baseFee + (room < maxPriorityFeePerGasWei ? room : maxPriorityFeePerGasWei);
}

describe('orderFees', () => {
  it.each([0n, 7n, GWEI / 10n, GWEI / 2n, GWEI, (GWEI * 3n) / 2n])(
    'keeps an order sized at base fee %d between 0.0003 and 0.0005 HYPE at any later base fee (design § 2.5)',
    (baseFee) => {
      const gas = 130_000n;
      const size = sizeOrder(BUDGET, gas * baseFee);
      if (size.kind !== 'order') throw new Error(`no order: ${size.kind}`);
      const fees = orderFees(size.tradeWei, (gas * 5n) / 4n, gas);
      for (const later of [0n, baseFee / 2n, baseFee, baseFee * 2n, 100n * GWEI]) {
        if (later > fees.maxFeePerGasWei) continue;
        const cost = size.tradeWei + gas * effectivePrice(fees, later);
        expect(cost).toBeLessThanOrEqual(ORDER_COST_MAXIMUM_WEI);
        expect(cost).toBeGreaterThanOrEqual(ORDER_COST_MINIMUM_WEI);
      }
      expect(fees.maxFeePerGasWei).toBeGreaterThanOrEqual(baseFee);
    },
  );

  it('adds no tip while gas is cheap, as on HyperEVM', () => {
    expect(orderFees(390_000_000_000_000n, 190_000n, 130_000n).maxPriorityFeePerGasWei).toBe(0n);
  });
});

describe('fees of transfers', () => {
  it('leaves room for the base fee to double', () => {
    expect(transferFees(3n * GWEI)).toEqual({ maxFeePerGasWei: 6n * GWEI, maxPriorityFeePerGasWei: 0n });
  });

  it('never exceeds the cap', () => {
    expect(transferFees(100n * GWEI).maxFeePerGasWei).toBe(FEE_CAP_WEI);
    expect(exactFees(100n * GWEI).maxFeePerGasWei).toBe(FEE_CAP_WEI);
  });

  it('fixes the price of the transfer that empties the wallet, at about twice the base fee', () => {
    const fees = exactFees(GWEI);
    expect(effectivePrice(fees, 0n)).toBe(fees.maxFeePerGasWei);
    expect(effectivePrice(fees, GWEI)).toBe(2n * GWEI + 1n);
    expect(exactFees(0n).maxFeePerGasWei).toBe(1n);
  });

  it('raises both fees by at least 12.5 % for a replacement (design § 5)', () => {
    expect(raisedFees({ maxFeePerGasWei: 8n, maxPriorityFeePerGasWei: 1n })).toEqual({
      maxFeePerGasWei: 9n,
      maxPriorityFeePerGasWei: 2n,
    });
  });
});
