import { describe, expect, it } from 'vitest';
import { compareBalances } from './compare-balances.ts';

describe('compareBalances (design § 5)', () => {
  it('accepts a ledger that equals the chain to the wei', () => {
    expect(compareBalances(77n, 77n)).toEqual({ kind: 'equal' });
  });

  it('books later money as a surplus', () => {
    expect(compareBalances(77n, 78n)).toEqual({ kind: 'surplus', surplusWei: 1n });
  });

  it('reports a single missing wei as a drift', () => {
    expect(compareBalances(77n, 76n)).toEqual({ kind: 'missing', missingWei: 1n });
  });
});
