import { describe, expect, it } from 'vitest';
import { depositOf, watchOf } from '../deposit/deposit.fixture.ts';
import { judgeDisplaced } from './judge-displaced.ts';

describe('a credited deposit whose block left the chain (design § 4)', () => {
  it('is gone when it is a transfer: the blocks in which it should be again were all scanned', () => {
    expect(judgeDisplaced(depositOf(), watchOf())).toBe('dropped');
    expect(judgeDisplaced(depositOf(), undefined)).toBe('dropped');
  });

  it('is gone when it was a rise that a reading of the new branch does not show', () => {
    const rise = depositOf({ kind: 'balance', seenAtBlock: 10 });
    expect(judgeDisplaced(rise, watchOf())).toBe('read_balance');
    expect(judgeDisplaced(rise, watchOf({ lookedAtBlock: 9 }))).toBe('read_balance');
    expect(judgeDisplaced(rise, watchOf({ lookedAtBlock: 10 }))).toBe('dropped');
  });

  it('still counts when it was a rise of a wallet that spends: the ledger of its owner decides', () => {
    const rise = depositOf({ kind: 'internal', seenAtBlock: 10 });
    expect(judgeDisplaced(rise, watchOf({ lookedAtBlock: 99, spendingSinceBlock: 11 }))).toBe('credited');
    expect(judgeDisplaced(rise, undefined)).toBe('credited');
  });
});
