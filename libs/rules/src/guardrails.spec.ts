import { expect, it } from 'vitest';
import { exceedsGasGuardrail, minimumOut, orderSlippage } from './guardrails.ts';

it('pauses above 10 gwei, not at it', () => {
  expect(exceedsGasGuardrail(10_000_000_000n, 0n)).toBe(false);
  expect(exceedsGasGuardrail(10_000_000_000n, 1n)).toBe(true);
  expect(exceedsGasGuardrail(9_000_000_000n, 1_000_000_000n)).toBe(false);
});

it('bounds slippage below the quote', () => {
  expect(minimumOut(10_000n, 100n)).toBe(9900n);
  expect(minimumOut(1n, 100n)).toBe(0n);
});

it('takes half the slippage, all on a retry', () => {
  expect(orderSlippage(100n, false)).toBe(50n);
  expect(orderSlippage(75n, false)).toBe(38n);
  expect(orderSlippage(75n, true)).toBe(75n);
});
