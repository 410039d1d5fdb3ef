import { getJobStatus, jobPaymentResponseSchema } from '@maker/contracts';
import { JOB_STATUSES } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { depositFixture, jobFixture, paidJobFixture } from '../job/job.fixture.ts';
import { createdView, operatorView, paymentView, statusView } from './job-views.ts';

describe('paymentView', () => {
  it('shows pending_payment and unpaid before the payment', () => {
    expect(paymentView(jobFixture())).toMatchObject({
      status: 'pending_payment',
      paymentReceived: false,
      receivedWei: '0',
    });
  });

  it('shows a timely payment as received in each later status', () => {
    const active = { ...paidJobFixture(depositFixture()), activatedAtMs: 5 };
    for (const status of JOB_STATUSES.filter(
      (candidate) => !['pending_payment', 'payment_expired'].includes(candidate),
    )) {
      expect(paymentView({ ...active, status }).paymentReceived).toBe(true);
    }
  });

  it('stays unpaid when an expired job gets money', () => {
    const expired = { ...paidJobFixture(depositFixture()), status: 'payment_expired' as const };
    expect(paymentView(expired).paymentReceived).toBe(false);
  });

  it('shows unconfirmed money, never below zero', () => {
    const waiting = jobFixture({ seen: { amountWei: 7n, revision: 1 } });
    expect(paymentView(waiting).waitingWei).toBe('7');
    const job = paidJobFixture(depositFixture({ amountWei: 5n }));
    expect(paymentView({ ...job, seen: { amountWei: 7n, revision: 2 } }).waitingWei).toBe('2');
    for (const amountWei of [5n, 0n]) {
      expect(paymentView({ ...job, seen: { amountWei, revision: 3 } }).waitingWei).toBeUndefined();
    }
  });

  it('shows the return address the payer named only', () => {
    const own = `0x${'b1'.repeat(20)}`;
    expect(paymentView(jobFixture({ requestedReturnAddress: own })).namedReturnAddress).toBe(own);
    expect(paymentView(jobFixture({ returnAddress: own }))).not.toHaveProperty('namedReturnAddress');
  });

  it('shows an unknown payer and the proposed address', () => {
    const own = `0x${'b1'.repeat(20)}`;
    const unknown = jobFixture({ status: 'active', payment: { payer: null, amountWei: 5n } });
    expect(paymentView(unknown)).toMatchObject({ payerUnknown: true });
    expect(paymentView({ ...unknown, proposedReturnAddress: own })).toMatchObject({ proposedReturnAddress: own });
    for (const known of [{ returnAddress: own }, { payment: { payer: own, amountWei: 5n } }]) {
      expect(paymentView({ ...unknown, ...known })).not.toHaveProperty('payerUnknown');
    }
  });

  it('shows the transactions of the payment', () => {
    const transactions = [{ transactionHash: `0x${'ab'.repeat(32)}` as const, amountWei: '5' }];
    const paid = jobFixture({ payment: { payer: null, amountWei: 5n, transactions } });
    expect(paymentView(paid).depositTransactions).toEqual(transactions);
    expect(paymentView(jobFixture())).not.toHaveProperty('depositTransactions');
  });

  it('lists found tokens except those that the job buys', () => {
    const found = (tokenAddress: string) => ({ tokenAddress, amount: '7', symbol: 'T', decimals: 18 });
    const own = found(jobFixture().tokenAddress.toLowerCase());
    const other = found(`0x${'55'.repeat(20)}`);
    const unpaid = jobFixture({ foundTokens: { tokens: [own, other], searchedAtMs: 1 } });
    const active = { ...unpaid, activatedAtMs: 5, status: 'active' as const };
    expect(paymentView(unpaid).foundTokens).toEqual([own, other]);
    expect(paymentView(active).foundTokens).toEqual([other]);
    expect(statusView(active).foundTokens).toEqual([other]);
    // Only the receipt knows which of them the job bought and holds.
    for (const payer of [null, other.tokenAddress]) {
      const ended = { ...active, status: 'completed' as const, payment: { payer, amountWei: 5n } };
      expect(paymentView(ended).foundTokens).toEqual([other]);
      expect(statusView(ended).foundTokens).toEqual([own, other]);
    }
    expect(paymentView({ ...unpaid, foundTokens: { tokens: [], searchedAtMs: 2 } })).not.toHaveProperty('foundTokens');
  });

  it('shows metadata to readers of the job, not in polls', () => {
    const job = jobFixture({ metadata: { orderId: '1234' } });
    expect(createdView(job)).toMatchObject({ metadata: { orderId: '1234' } });
    expect(statusView(job)).toMatchObject({ metadata: { orderId: '1234' } });
    expect(paymentView(job)).not.toHaveProperty('metadata');
    expect(operatorView(job, [])).not.toHaveProperty('metadata');
  });

  it('matches the contract', () => {
    expect(jobPaymentResponseSchema.parse(paymentView(jobFixture()))).toMatchObject({ paymentAmount: 0.5 });
    expect(getJobStatus.reply.parse(statusView(jobFixture({ activatedAtMs: 1, endedAtMs: 2 })))).toMatchObject({
      activatedAt: '1970-01-01T00:00:00.001Z',
      endedAt: '1970-01-01T00:00:00.002Z',
    });
  });
});
