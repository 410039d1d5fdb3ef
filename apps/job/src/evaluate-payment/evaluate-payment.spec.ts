import { JOB_STATUSES, parseHype } from '@maker/rules';
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

  it('activates on 99 % with the sum that came', () => {
    const withdrawal = depositFixture({ amountWei: parseHype('0.495') });
    expect(evaluatePayment(paidJobFixture(withdrawal), [withdrawal], now)).toMatchObject({
      after: { status: 'active', payment: { amountWei: parseHype('0.495') } },
      paying: [withdrawal.depositId],
    });
    const short = depositFixture({ amountWei: parseHype('0.495') - 1n });
    expect(evaluatePayment(paidJobFixture(short), [short], now)).toBeUndefined();
  });

  it('names transfers that prove a payer as recipient', () => {
    const proof = { transactionHash: `0x${'ab'.repeat(32)}` as const, amountWei: deposit.amountWei.toString() };
    const shown = { ...deposit, transactionHash: proof.transactionHash };
    const dust = depositFixture({ kind: 'internal', amountWei: 1n });
    expect(evaluatePayment(paid, [dust, shown], now)?.paidBy).toEqual([proof]);
    expect(evaluatePayment({ ...paid, returnAddress: '0xgiven' }, [shown], now)).not.toHaveProperty('paidBy');
    const unnamed = depositFixture({ kind: 'internal' });
    expect(evaluatePayment(paidJobFixture(unnamed), [unnamed], now)).not.toHaveProperty('paidBy');
  });

  it('keeps sender, block and time of each paying transaction', () => {
    const transactionHash = `0x${'ab'.repeat(32)}` as const;
    const shown = { ...deposit, transactionHash, blockNumber: 12, blockTimestampMs: 1000 };
    const kept = {
      transactionHash,
      amountWei: `${deposit.amountWei}`,
      blockNumber: 12,
      minedAt: '1970-01-01T00:00:01.000Z',
    };
    expect(evaluatePayment(paid, [shown], now)?.after.payment?.transactions).toEqual([{ ...kept, from: deposit.from }]);
    const { from: _, ...unnamed } = { ...shown, kind: 'internal' as const };
    expect(evaluatePayment(paidJobFixture(unnamed), [unnamed], now)?.after.payment?.transactions).toEqual([kept]);
  });

  it('has no return address without a single payer', () => {
    const unnamed = depositFixture({ kind: 'internal' });
    expect(evaluatePayment(paidJobFixture(unnamed), [unnamed], now)?.after).toMatchObject({
      status: 'active',
      returnAddress: null,
      payment: { payer: null, amountWei: unnamed.amountWei },
    });
  });

  it('keeps an underpaid job until its deadline', () => {
    const part = depositFixture({ amountWei: 5n });
    const waiting = paidJobFixture(part);
    expect(evaluatePayment(waiting, [part], now)).toBeUndefined();
    for (const receivedWei of [5n, 6n])
      expect(evaluatePayment({ ...waiting, deadlinePassed: { receivedWei } }, [part], now)).toMatchObject({
        after: { status: 'payment_expired', endedAtMs: now },
      });
  });

  it('reads no deposits of an underpaid job', () => {
    expect(evaluatePayment(jobFixture(), [deposit], now)).toBeUndefined();
  });

  it('keeps the return address that the visitor gave', () => {
    expect(evaluatePayment({ ...paid, returnAddress: '0xgiven' }, [deposit], now)?.after.returnAddress).toBe('0xgiven');
  });

  it('changes nothing once the job has left pending_payment', () => {
    for (const status of JOB_STATUSES.filter((candidate) => candidate !== 'pending_payment')) {
      expect(evaluatePayment({ ...paid, status }, [deposit], now)).toBeUndefined();
    }
  });

  it('reads the deposits once, when they decide', () => {
    expect(needsDeposits(jobFixture())).toBe(false);
    expect(needsDeposits(paid)).toBe(true);
    expect(needsDeposits({ ...paid, status: 'active' })).toBe(false);
    expect(needsDeposits(jobFixture({ deadlinePassed: { receivedWei: 5n }, droppedWei: 5n }))).toBe(false);
  });
});
