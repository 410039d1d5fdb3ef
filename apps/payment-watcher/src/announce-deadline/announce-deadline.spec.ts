import { describe, expect, it } from 'vitest';
import { blockOf, DEADLINE_MS, watchOf } from '../deposit/deposit.fixture.ts';
import { deadlineHasPassed } from './announce-deadline.ts';

const confirmed = blockOf(20, DEADLINE_MS + 1000);
const read = watchOf({ lookedPastDeadlineAtBlock: 20 });

describe('the deadline has passed (design § 4: judged by block timestamps)', () => {
  it('when the confirmed chain and one look at the balance are past it', () => {
    expect(deadlineHasPassed(read, confirmed, false)).toBe(true);
  });

  it('not at the deadline itself, in which a payment is still in time', () => {
    expect(deadlineHasPassed(read, blockOf(20, DEADLINE_MS), false)).toBe(false);
  });

  it('not before a look at the balance after it', () => {
    expect(deadlineHasPassed(watchOf(), confirmed, false)).toBe(false);
    const readBefore = watchOf({ lookedAtBlock: 19, lookedAt: new Date(DEADLINE_MS) });
    expect(deadlineHasPassed(readBefore, confirmed, false)).toBe(false);
  });

  it('not before the block of that look is confirmed, nor while a deposit waits to be credited', () => {
    expect(deadlineHasPassed(watchOf({ lookedPastDeadlineAtBlock: 21 }), confirmed, false)).toBe(false);
    expect(deadlineHasPassed(read, confirmed, true)).toBe(false);
  });

  it('however often the balance is looked at afterwards', () => {
    const again = { ...read, lookedAtBlock: 21, lookedAt: new Date(DEADLINE_MS + 2000) };
    expect(deadlineHasPassed(again, confirmed, false)).toBe(true);
  });

  it('without a look where the wallet spends, since its job runs', () => {
    expect(deadlineHasPassed(watchOf({ spendingSinceBlock: 3 }), confirmed, false)).toBe(true);
  });
});
