import { expect, it } from 'vitest';
import { chainPause } from './pause-reason.ts';

it('waits above 10 gwei of base fee and tip, and goes on at 10 gwei (specification § 9)', () => {
  const at = (baseFeeWei: bigint, tipWei: bigint) => chainPause({ baseFeeWei, tipWei });
  expect(at(10_000_000_001n, 0n)).toBe('gas_guardrail');
  expect(at(9_000_000_000n, 1_000_000_001n)).toBe('gas_guardrail');
  expect(at(10_000_000_000n, 0n)).toBeUndefined();
  expect(at(9_000_000_000n, 1_000_000_000n)).toBeUndefined();
});
