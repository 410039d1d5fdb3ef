import { JOB_STATUSES } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { depositFixture, jobFixture, paidJobFixture } from '../job/job.fixture.ts';
import { evaluatePayment, needsDeposits } from './evaluate-payment.ts';

const now = 5;
const deposit = depositFixture();
const paid = paidJobFixture(deposit);

describe('evaluatePayment (design § 4)', () => {
  it('activates on enough, with the payer as return address', () => {
    const change = evaluatePayment(paid, [deposit], now);
    expect(change?.transition).toEqual({ from: 'pending_payment', to: 'active' });
    expect(change?.after).toMatchObject({
      activatedAtMs: now,
      returnAddress: deposit.from,
      payment: { payer: deposit.from, amountWei: deposit.amountWei },
    });
  });

  it('keeps the return address that the visitor gave', () => {
    expect(evaluatePayment({ ...paid, returnAddress: '0xgiven' }, [deposit], now)?.after.returnAddress).toBe('0xgiven');
  });

  it('changes nothing once the job has left pending_payment', () => {
    for (const status of JOB_STATUSES.filter((candidate) => candidate !== 'pending_payment')) {
      expect(evaluatePayment({ ...paid, status }, [deposit], now)).toBeUndefined();
    }
  });

  it('looks at the deposits of a job once, when they decide', () => {
    expect(needsDeposits(jobFixture())).toBe(false);
    expect(needsDeposits(paid)).toBe(true);
    expect(needsDeposits({ ...paid, status: 'active' })).toBe(false);
    expect(needsDeposits(jobFixture({ deadlinePassed: { receivedWei: 0n } }))).toBe(false);
    expect(needsDeposits(jobFixture({ deadlinePassed: { receivedWei: 5n }, droppedWei: 5n }))).toBe(true);
  });
});
