import { leastStartingWei } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { DEADLINE_MS, depositFixture, jobFixture } from '../job/job.fixture.ts';
import { countDeposit } from './count-deposit.ts';

const half = jobFixture().paymentAmountWei;
const least = leastStartingWei(half);

describe('countDeposit (design § 4 ‘Amounts’)', () => {
  it('adds up partial deposits', () => {
    const part = countDeposit(jobFixture(), null, depositFixture({ amountWei: least - 1n }));
    expect(part.assessment).toMatchObject({ underpaid: true, sufficient: false, inTimeWei: least - 1n });
    const whole = countDeposit(part, null, depositFixture({ amountWei: 1n }));
    expect(whole.assessment).toMatchObject({ underpaid: false, overpaid: false, sufficient: true });
  });

  it('counts money of the deadline’s block as timely', () => {
    const inTime = countDeposit(jobFixture(), null, depositFixture({ blockTimestampMs: DEADLINE_MS }));
    expect(inTime.assessment).toMatchObject({ sufficient: true, late: false });
    const late = countDeposit(jobFixture(), null, depositFixture({ blockTimestampMs: DEADLINE_MS + 1 }));
    expect(late.assessment).toMatchObject({ late: true, lateWei: half, inTimeWei: 0n });
  });

  it('subtracts a dropped deposit, adds it when mined again', () => {
    const deposit = depositFixture();
    const counted = countDeposit(jobFixture(), null, deposit);
    const dropped = { ...deposit, dropped: true };
    const without = countDeposit(counted, deposit, dropped);
    expect(without).toMatchObject({ droppedWei: half, assessment: { inTimeWei: 0n, sufficient: false } });
    const again = { ...deposit, occurrence: 2, blockTimestampMs: DEADLINE_MS + 1 };
    expect(countDeposit(without, dropped, again)).toMatchObject({
      droppedWei: 0n,
      assessment: { inTimeWei: 0n, lateWei: half },
    });
  });
});
