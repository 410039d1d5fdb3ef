import { expect, it } from 'vitest';
import { isTokenDust } from './token-dust.ts';

it('treats up to a thousandth as dust', () => {
  expect(isTokenDust(0n, 0n)).toBe(true);
  expect(isTokenDust(7n, 7000n)).toBe(true);
  expect(isTokenDust(8n, 7999n)).toBe(false);
  expect(isTokenDust(1n, 0n)).toBe(false);
});
