import { describe, expect, it } from 'vitest';
import { depositFixture, jobFixture } from '../job/job.fixture.ts';
import { OWN_WALLET, planRefunds, possibleRecipients, TOO_SMALL, UNKNOWN_SENDER } from './plan-refunds.ts';

const ALICE = `0x${'a'.repeat(40)}`;
const BOB = `0x${'b'.repeat(40)}`;
const CAROL = `0x${'c'.repeat(40)}`;
const noWallets = new Set<string>();
const expired = jobFixture({ status: 'payment_expired' });
const active = jobFixture({ status: 'active', activatedAtMs: 5 });

describe('planRefunds (design § 4: all money ends as executed, returned or held)', () => {
  it('decides nothing while the job waits', () => {
    expect(planRefunds(jobFixture(), [depositFixture()], noWallets)).toEqual([]);
  });

  it('returns each sender’s parts of an expired job', () => {
    const deposits = [
      depositFixture({ from: ALICE, amountWei: 3n, blockNumber: 7 }),
      depositFixture({ from: BOB, amountWei: 4n }),
      depositFixture({ from: ALICE, amountWei: 5n, blockNumber: 9 }),
    ];
    const refunds = planRefunds(expired, deposits, noWallets);
    expect(refunds).toMatchObject([
      { to: ALICE, amountWei: 8n, blockNumber: 9 },
      { to: BOB, amountWei: 4n },
    ]);
    expect(refunds.flatMap(({ depositIds }) => depositIds)).toHaveLength(3);
  });

  it('splits many deposits into parts with stable names', () => {
    const depositId = (index: number) => `${ALICE}:0x${'f'.repeat(64)}:${index}`;
    const deposits = Array.from({ length: 9_500 }, (_, index) =>
      depositFixture({ from: ALICE, amountWei: 1n, depositId: depositId(index) }),
    );
    const refunds = planRefunds(expired, deposits, noWallets);
    expect(refunds.map(({ depositIds }) => depositIds.length)).toEqual(Array.from({ length: 95 }, () => 100));
    for (const { refundId } of refunds) expect(refundId).toMatch(/^return_[0-9a-f]{24}$/);
    for (const { depositIds } of refunds) expect(JSON.stringify(depositIds).length).toBeLessThan(64 * 1024);
    expect(refunds.flatMap(({ depositIds }) => depositIds)).toEqual(deposits.map((deposit) => deposit.depositId));
    expect(refunds.reduce((sum, { amountWei }) => sum + amountWei, 0n)).toBe(9_500n);
    expect(new Set(refunds.map(({ refundId }) => refundId)).size).toBe(refunds.length);
    expect(planRefunds(expired, deposits, noWallets)).toEqual(refunds);
    const [again] = planRefunds(
      expired,
      deposits.map((deposit) => ({ ...deposit, occurrence: 2 })),
      noWallets,
    );
    expect(again?.refundId).not.toBe(refunds[0]?.refundId);
  });

  it('returns other senders’ deposits to them', () => {
    const paid = depositFixture({ from: ALICE });
    const dust = depositFixture({ from: BOB, amountWei: 1n });
    const given = { ...active, payment: { payer: ALICE, amountWei: paid.amountWei }, requestedReturnAddress: CAROL };
    expect(planRefunds(given, [dust], noWallets)).toMatchObject([{ to: BOB, amountWei: 1n }]);
    const late = depositFixture({ from: ALICE, amountWei: 2n });
    expect(planRefunds(given, [late], noWallets)).toMatchObject([{ to: CAROL, amountWei: 2n }]);
  });

  it('names proving transfers only if the sender is recipient', () => {
    const transactionHash = `0x${'ab'.repeat(32)}` as const;
    const sent = depositFixture({ from: BOB, amountWei: 9n, transactionHash });
    const sentBy = [{ transactionHash, amountWei: '9' }];
    expect(planRefunds(expired, [sent], noWallets)).toMatchObject([{ to: BOB, sentBy }]);
    const given = { ...expired, requestedReturnAddress: BOB };
    expect(planRefunds(given, [sent], noWallets)[0]).not.toHaveProperty('sentBy');
    const paid = { ...given, payment: { payer: ALICE, amountWei: 1n } };
    expect(planRefunds(paid, [sent], noWallets)).toMatchObject([{ to: BOB, sentBy }]);
  });

  it('returns a second payment even if timely', () => {
    const second = depositFixture({ from: BOB, amountWei: 9n });
    expect(planRefunds(active, [second], noWallets)).toMatchObject([{ to: BOB, amountWei: 9n }]);
  });

  it('holds contract and system deposits without an address', () => {
    const deposits = [depositFixture({ kind: 'internal' }), depositFixture({ kind: 'balance' })].map(
      ({ from: _, ...rest }) => rest,
    );
    expect(planRefunds(expired, deposits, noWallets)).toMatchObject([{ to: null, holdReason: UNKNOWN_SENDER }]);
    const given = jobFixture({ status: 'payment_expired', requestedReturnAddress: BOB });
    expect(planRefunds(given, deposits, noWallets)).toMatchObject([{ to: BOB }]);
  });

  it('holds dust without a sender as too small', () => {
    const { from: _, ...dust } = depositFixture({ amountWei: 1n });
    expect(planRefunds(expired, [dust], noWallets)).toMatchObject([{ to: null, holdReason: TOO_SMALL }]);
  });

  it('states why unowned money is held', () => {
    expect(UNKNOWN_SENDER).toMatch(/from a contract or as a system credit, and the job has no return address/);
    expect(OWN_WALLET).toMatch(/is a wallet of this service/);
  });

  it('separates unowned money from a stranger’s', () => {
    const paid = { ...active, payment: { payer: ALICE, amountWei: 1n }, requestedReturnAddress: CAROL };
    const unnamed = depositFixture({ kind: 'internal', amountWei: 3n });
    expect(planRefunds(paid, [unnamed], noWallets)).toMatchObject([{ to: CAROL, amountWei: 3n }]);
    const unknownPayer = { ...paid, payment: { payer: null, amountWei: 1n } };
    const stranger = depositFixture({ from: BOB, amountWei: 3n });
    expect(planRefunds(unknownPayer, [stranger], noWallets)).toMatchObject([{ to: CAROL, amountWei: 3n }]);
  });

  it('compares addresses without their case', () => {
    const mixed = `0x${'A'.repeat(40)}`;
    const deposits = [depositFixture({ from: ALICE, amountWei: 3n }), depositFixture({ from: mixed, amountWei: 4n })];
    expect(planRefunds(expired, deposits, noWallets)).toMatchObject([{ to: ALICE, amountWei: 7n }]);
    const given = { ...expired, requestedReturnAddress: mixed };
    expect(planRefunds(given, deposits, new Set([ALICE]))).toMatchObject([
      { to: null, holdReason: OWN_WALLET, amountWei: 7n },
    ]);
  });

  it('returns a payment after the job ended early', () => {
    const failed = jobFixture({ status: 'failed_technical', activatedAtMs: 5 });
    const paid = depositFixture({ from: ALICE });
    expect(planRefunds(failed, [paid], noWallets)).toMatchObject([{ to: ALICE }]);
  });

  it('sends nothing to a job wallet', () => {
    const deposit = depositFixture({ from: ALICE });
    expect(planRefunds(expired, [deposit], new Set([ALICE]))).toMatchObject([{ to: null, holdReason: OWN_WALLET }]);
  });
});

it('checks every recipient against the job wallets', () => {
  const job = jobFixture({ requestedReturnAddress: BOB });
  const deposits = [
    depositFixture({ from: ALICE }),
    depositFixture({ from: ALICE }),
    depositFixture({ kind: 'system' }),
  ];
  expect(possibleRecipients(job, deposits)).toEqual([BOB, ALICE]);
  expect(possibleRecipients(jobFixture(), deposits)).toEqual([ALICE]);
});
