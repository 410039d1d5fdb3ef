import { expect, it } from 'vitest';
import { exceedsGasGuardrail, minimumOut, orderSlippage } from './guardrails.ts';

it('pauses above 10 gwei of base plus priority fee, and not at 10 gwei (specification § 9)', () => {
  expect(exceedsGasGuardrail(10_000_000_000n, 0n)).toBe(false);
  expect(exceedsGasGuardrail(10_000_000_000n, 1n)).toBe(true);
  expect(exceedsGasGuardrail(9_000_000_000n, 1_000_000_000n)).toBe(false);
});

it('bounds slippage below the quote, never above it (design § 2.2)', () => {
  expect(minimumOut(10_000n, 100n)).toBe(9900n);
  expect(minimumOut(1n, 100n)).toBe(0n);
});

it('an order first takes half of the published slippage, rounded up, and all of it when it is tried once more (design § 4a)', () => {
  expect(orderSlippage(100n, false)).toBe(50n);
  expect(orderSlippage(75n, false)).toBe(38n);
  expect(orderSlippage(75n, true)).toBe(75n);
});
