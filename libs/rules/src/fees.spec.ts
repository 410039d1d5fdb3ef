import { expect, it } from 'vitest';
import { exactPrice, FEE_CAP_WEI, raisedFee } from './fees.ts';

it('bears a doubled base fee up to the cap', () => {
  expect(exactPrice(0n)).toBe(1n);
  expect(exactPrice(3n)).toBe(7n);
  expect(exactPrice(FEE_CAP_WEI)).toBe(FEE_CAP_WEI);
});

it('raises a replacement by 12.5 %, rounded up', () => {
  expect(raisedFee(8n)).toBe(9n);
  expect(raisedFee(1n)).toBe(2n);
  expect(raisedFee(1000n)).toBe(1125n);
});
