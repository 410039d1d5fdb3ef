import { describe, expect, it } from 'vitest';
import { blockOf, DEADLINE_MS, watchOf } from '../deposit/deposit.fixture.ts';
import { deadlineHasPassed } from './announce-deadline.ts';

const confirmed = blockOf(20, DEADLINE_MS + 1000);
const read = watchOf({ readPastDeadlineAtBlock: 20 });

describe('the deadline has passed (design § 4: judged by block timestamps)', () => {
  it('once confirmed chain and balance reading pass it', () => {
    expect(deadlineHasPassed(read, confirmed, false)).toBe(true);
  });

  it('not at the deadline’s own second', () => {
    expect(deadlineHasPassed(read, blockOf(20, DEADLINE_MS), false)).toBe(false);
  });

  it('not before a later balance reading', () => {
    expect(deadlineHasPassed(watchOf(), confirmed, false)).toBe(false);
    const readBefore = watchOf({ readAtBlock: 19, readAt: new Date(DEADLINE_MS) });
    expect(deadlineHasPassed(readBefore, confirmed, false)).toBe(false);
  });

  it('not before confirmation or with a pending deposit', () => {
    expect(deadlineHasPassed(watchOf({ readPastDeadlineAtBlock: 21 }), confirmed, false)).toBe(false);
    expect(deadlineHasPassed(read, confirmed, true)).toBe(false);
  });

  it('after any later balance reading', () => {
    const again = { ...read, readAtBlock: 21, readAt: new Date(DEADLINE_MS + 2000) };
    expect(deadlineHasPassed(again, confirmed, false)).toBe(true);
  });

  it('without a reading once the wallet spends', () => {
    expect(deadlineHasPassed(watchOf({ spendingSinceBlock: 3 }), confirmed, false)).toBe(true);
  });
});
