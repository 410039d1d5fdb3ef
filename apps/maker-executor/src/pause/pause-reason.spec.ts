import { expect, it } from 'vitest';
import { chainPause } from './pause-reason.ts';

it('waits above 10 gwei and goes on at 10 gwei (specification § 9)', () => {
  expect(chainPause(10_000_000_001n)).toBe('gas_guardrail');
  expect(chainPause(10_000_000_000n)).toBeUndefined();
});
