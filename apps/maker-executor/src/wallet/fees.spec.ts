import { FEE_CAP_WEI, GAS_GUARDRAIL_WEI } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import {
  affordableFees,
  exactFees,
  type Fees,
  mostOrderFee,
  orderFees,
  raisedFees,
  starvedTip,
  transferFees,
} from './fees.ts';

const GWEI = 1_000_000_000n;

function effectivePrice({ maxFeePerGasWei, maxPriorityFeePerGasWei }: Fees, baseFee: bigint): bigint {
  const room = maxFeePerGasWei - baseFee;
  return baseFee + (room < maxPriorityFeePerGasWei ? room : maxPriorityFeePerGasWei);
}

describe('fees of orders', () => {
  it('allow the base fee to double within the guardrail', () => {
    expect(orderFees(GWEI / 10n, 0n)).toEqual({ maxFeePerGasWei: GWEI / 5n, maxPriorityFeePerGasWei: 0n });
    expect(orderFees(GWEI, GWEI)).toEqual({ maxFeePerGasWei: 3n * GWEI, maxPriorityFeePerGasWei: GWEI });
    expect(orderFees(9n * GWEI, GWEI).maxFeePerGasWei).toBe(GAS_GUARDRAIL_WEI);
    expect(orderFees(0n, 11n * GWEI).maxPriorityFeePerGasWei).toBe(GAS_GUARDRAIL_WEI);
  });

  it('rise within the trade’s value, never below the first', () => {
    expect(mostOrderFee(400_000_000_000_000n, 200_000n, GWEI / 5n)).toBe(2n * GWEI);
    expect(mostOrderFee(400_000_000_000_000n, 200_000n, 9n * GWEI)).toBe(9n * GWEI);
    expect(mostOrderFee(6_400_000_000_000_000n, 200_000n, GWEI)).toBe(GAS_GUARDRAIL_WEI);
  });
});

it('takes the largest of worth, double tip and base-fee share', () => {
  expect(starvedTip(8n * GWEI, 0n, 0n)).toBe(GWEI);
  expect(starvedTip(8n, 30n, 10n)).toBe(30n);
  expect(starvedTip(8n, 10n, 30n)).toBe(60n);
});

describe('fees of transfers', () => {
  it('allow a sudden rise and add the tip', () => {
    expect(transferFees(1n)).toEqual({ maxFeePerGasWei: GWEI, maxPriorityFeePerGasWei: 0n });
    expect(transferFees(3n * GWEI, GWEI)).toEqual({ maxFeePerGasWei: 7n * GWEI, maxPriorityFeePerGasWei: GWEI });
    expect(transferFees(0n, 30n * GWEI)).toEqual({
      maxFeePerGasWei: FEE_CAP_WEI,
      maxPriorityFeePerGasWei: FEE_CAP_WEI,
    });
  });

  it('use the whole budget while it pays the next blocks', () => {
    const gas = 50_000n;
    expect(affordableFees(GWEI, gas, gas * 9n * GWEI)).toEqual(transferFees(GWEI));
    const least = (GWEI * 9n) / 8n;
    expect(affordableFees(GWEI, gas, gas * least)).toEqual({ maxFeePerGasWei: least, maxPriorityFeePerGasWei: 0n });
    expect(affordableFees(GWEI, gas, gas * least - 1n)).toBeUndefined();
  });

  it('leaves room for the base fee to double', () => {
    expect(transferFees(3n * GWEI)).toEqual({ maxFeePerGasWei: 6n * GWEI, maxPriorityFeePerGasWei: 0n });
  });

  it('never exceeds the cap', () => {
    expect(transferFees(100n * GWEI).maxFeePerGasWei).toBe(FEE_CAP_WEI);
    expect(exactFees(100n * GWEI).maxFeePerGasWei).toBe(FEE_CAP_WEI);
  });

  it('fixes the emptying transfer at twice the base fee', () => {
    const fees = exactFees(GWEI);
    expect(effectivePrice(fees, 0n)).toBe(fees.maxFeePerGasWei);
    expect(effectivePrice(fees, GWEI)).toBe(2n * GWEI + 1n);
    expect(exactFees(0n).maxFeePerGasWei).toBe(1n);
  });

  it('raises both fees by at least 12.5 %', () => {
    expect(raisedFees({ maxFeePerGasWei: 8n, maxPriorityFeePerGasWei: 1n })).toEqual({
      maxFeePerGasWei: 9n,
      maxPriorityFeePerGasWei: 2n,
    });
  });
});
