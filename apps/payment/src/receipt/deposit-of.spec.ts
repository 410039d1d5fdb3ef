import { parseHype, splitDeposit } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { depositOf } from './receipt-ledger.tsx';

const of = (paidWei: bigint, arrivedWei = paidWei) =>
  depositOf({
    depositWei: arrivedWei.toString(),
    orderBudgetWei: splitDeposit(paidWei).orderBudgetWei.toString(),
  });

describe('depositOf', () => {
  it.each(['0.25', '0.5', '1', '999.999999999999999999'])('finds a payment of %s HYPE to the wei', (hype) => {
    for (const wei of [0n, 1n, 2n, 3n, 7n]) {
      const paidWei = parseHype(hype) - wei;
      expect(of(paidWei)).toEqual({ paidWei, otherWei: 0n });
    }
  });

  it('leaves out a second payment', () => {
    expect(of(parseHype('1'), parseHype('2'))).toEqual({ paidWei: parseHype('1'), otherWei: parseHype('1') });
  });
});
