import { describe, expect, it } from 'vitest';
import { blockOf, DEADLINE_MS, depositOf, watchOf } from '../watch/watch.fixture.ts';
import { deadlineHasPassed, receivedInTime } from './announce-deadline.ts';

const confirmed = blockOf(20, DEADLINE_MS + 1000);
const looked = watchOf({ lookedPastDeadlineAtBlock: 20 });

describe('the deadline has passed (design § 4: judged by block timestamps)', () => {
  it('when the confirmed chain and one look at the balance are past it', () => {
    expect(deadlineHasPassed(looked, confirmed, false)).toBe(true);
  });

  it('not at the deadline itself, in which a payment is still in time', () => {
    expect(deadlineHasPassed(looked, blockOf(20, DEADLINE_MS), false)).toBe(false);
  });

  it('not before a look at the balance after it', () => {
    expect(deadlineHasPassed(watchOf(), confirmed, false)).toBe(false);
    const lookedBefore = watchOf({ lookedAtBlock: 19, lookedAtMs: DEADLINE_MS });
    expect(deadlineHasPassed(lookedBefore, confirmed, false)).toBe(false);
  });

  it('not before the block of that look is confirmed, nor while a deposit waits to be credited', () => {
    expect(deadlineHasPassed(watchOf({ lookedPastDeadlineAtBlock: 21 }), confirmed, false)).toBe(false);
    expect(deadlineHasPassed(looked, confirmed, true)).toBe(false);
  });

  it('however often the balance is looked at afterwards', () => {
    const again = { ...looked, lookedAtBlock: 21, lookedAtMs: DEADLINE_MS + 2000 };
    expect(deadlineHasPassed(again, confirmed, false)).toBe(true);
  });

  it('without a look where the wallet spends, since its job runs', () => {
    expect(deadlineHasPassed(watchOf({ spendingSinceBlock: 3 }), confirmed, false)).toBe(true);
  });
});

it('counts only what came in time', () => {
  const late = depositOf({ amountWei: 7n, blockAtMs: DEADLINE_MS + 1 });
  const onTime = depositOf({ amountWei: 3n, blockAtMs: DEADLINE_MS });
  expect(receivedInTime(looked, [onTime, late])).toBe(3n);
});
