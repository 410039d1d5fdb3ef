import { describe, expect, it } from 'vitest';
import { DEADLINE_MS, depositFixture, jobFixture } from '../job/job.fixture.ts';
import { recordDeposit } from './record-deposit.ts';

const half = jobFixture().paymentAmountWei;
const now = DEADLINE_MS + 60_000;

describe('recordDeposit', () => {
  it('activates on enough, with the payer as return address (design § 4)', () => {
    const deposit = depositFixture();
    const change = recordDeposit(jobFixture(), [deposit], now);
    expect(change.transition).toEqual({ from: 'pending_payment', to: 'active' });
    expect(change.after).toMatchObject({ activatedAtMs: now, returnAddress: deposit.from });
  });

  it('keeps the return address that the visitor gave', () => {
    const change = recordDeposit(jobFixture({ returnAddress: '0xgiven' }), [depositFixture()], now);
    expect(change.after.returnAddress).toBe('0xgiven');
  });

  it('counts a payment mined in the deadline’s own block, whenever the message comes (design § 4)', () => {
    const change = recordDeposit(jobFixture(), [depositFixture({ blockTimestampMs: DEADLINE_MS })], now);
    expect(change.after.status).toBe('active');
  });

  it('adds up what comes in parts', () => {
    const first = depositFixture({ amountWei: half - 1n });
    const part = recordDeposit(jobFixture(), [first], now);
    expect(part.transition).toBeUndefined();
    expect(part.after.assessment).toMatchObject({ underpaid: true, sufficient: false, inTimeWei: half - 1n });
    const rest = recordDeposit(part.after, [first, depositFixture({ amountWei: 1n })], now);
    expect(rest.transition?.to).toBe('active');
    expect(rest.after.assessment).toMatchObject({ underpaid: false, overpaid: false, sufficient: true });
  });

  it('flags late money and does not activate on it', () => {
    const change = recordDeposit(jobFixture(), [depositFixture({ blockTimestampMs: DEADLINE_MS + 1 })], now);
    expect(change.transition).toBeUndefined();
    expect(change.after.assessment).toMatchObject({ late: true, lateWei: half, inTimeWei: 0n });
  });

  it('records what comes after activation without activating again', () => {
    const first = depositFixture();
    const active = recordDeposit(jobFixture(), [first], now).after;
    const change = recordDeposit(active, [first, depositFixture({ from: '0xother', amountWei: half * 2n })], now + 1);
    expect(change.transition).toBeUndefined();
    expect(change.after).toMatchObject({ activatedAtMs: now, returnAddress: first.from });
    expect(change.after.assessment).toMatchObject({ overpaid: true, inTimeWei: half * 3n });
  });

  it('records what comes to an expired job, which stays expired', () => {
    const change = recordDeposit(jobFixture({ status: 'payment_expired' }), [depositFixture()], now);
    expect(change.transition).toBeUndefined();
    expect(change.after).toMatchObject({ status: 'payment_expired', assessment: { inTimeWei: half } });
  });
});
