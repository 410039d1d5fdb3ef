import { FEE_CAP_WEI, GAS_GUARDRAIL_WEI } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { exactFees, type Fees, mostOrderFee, orderFees, raisedFees, transferFees } from './fees.ts';

const GWEI = 1_000_000_000n;

function effectivePrice({ maxFeePerGasWei, maxPriorityFeePerGasWei }: Fees, baseFee: bigint): bigint {
  const room = maxFeePerGasWei - baseFee;
  return baseFee + (room < maxPriorityFeePerGasWei ? room : maxPriorityFeePerGasWei);
}

describe('fees of orders', () => {
  it('leave room for the base fee to double, and never pay more than the guardrail (specification § 9)', () => {
    expect(orderFees(GWEI / 10n, 0n)).toEqual({ maxFeePerGasWei: GWEI / 5n, maxPriorityFeePerGasWei: 0n });
    expect(orderFees(GWEI, GWEI)).toEqual({ maxFeePerGasWei: 3n * GWEI, maxPriorityFeePerGasWei: GWEI });
    expect(orderFees(9n * GWEI, GWEI).maxFeePerGasWei).toBe(GAS_GUARDRAIL_WEI);
  });

  it('may rise while gas costs no more than the trade, and are never held below what they were first', () => {
    expect(mostOrderFee(400_000_000_000_000n, 200_000n, GWEI / 5n)).toBe(2n * GWEI);
    expect(mostOrderFee(400_000_000_000_000n, 200_000n, 9n * GWEI)).toBe(9n * GWEI);
    expect(mostOrderFee(6_400_000_000_000_000n, 200_000n, GWEI)).toBe(GAS_GUARDRAIL_WEI);
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
