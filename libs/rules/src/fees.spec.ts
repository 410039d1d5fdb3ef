import { expect, it } from 'vitest';
import { exactPrice, FEE_CAP_WEI, raisedFee } from './fees.ts';

it('an emptying transfer bears a base fee that doubles, up to the cap (design § 5: fee caps hold)', () => {
  expect(exactPrice(0n)).toBe(1n);
  expect(exactPrice(3n)).toBe(7n);
  expect(exactPrice(FEE_CAP_WEI)).toBe(FEE_CAP_WEI);
});

it('a replacement is dearer by 12.5 % at the least, rounded up (design § 5)', () => {
  expect(raisedFee(8n)).toBe(9n);
  expect(raisedFee(1n)).toBe(2n);
  expect(raisedFee(1000n)).toBe(1125n);
});
