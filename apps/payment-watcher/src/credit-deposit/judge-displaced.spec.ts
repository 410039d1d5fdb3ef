import { describe, expect, it } from 'vitest';
import { depositOf, watchOf } from '../deposit/deposit.fixture.ts';
import { judgeDisplaced } from './judge-displaced.ts';

describe('a credited deposit whose block left the chain (design § 4)', () => {
  it('drops a transfer missing from all new blocks', () => {
    expect(judgeDisplaced(depositOf(), watchOf())).toBe('dropped');
    expect(judgeDisplaced(depositOf(), undefined)).toBe('dropped');
  });

  it('drops a rise missing from the new reading', () => {
    const rise = depositOf({ kind: 'balance', seenAtBlock: 10 });
    expect(judgeDisplaced(rise, watchOf())).toBe('read_balance');
    expect(judgeDisplaced(rise, watchOf({ readAtBlock: 9 }))).toBe('read_balance');
    expect(judgeDisplaced(rise, watchOf({ readAtBlock: 10 }))).toBe('dropped');
  });

  it('keeps a rise of a wallet that spends', () => {
    const rise = depositOf({ kind: 'internal', seenAtBlock: 10 });
    expect(judgeDisplaced(rise, watchOf({ readAtBlock: 99, spendingSinceBlock: 11 }))).toBe('credited');
    expect(judgeDisplaced(rise, undefined)).toBe('credited');
  });
});
