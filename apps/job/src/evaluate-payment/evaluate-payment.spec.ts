import { describe, expect, it } from 'vitest';
import { DEADLINE_MS, depositFixture } from '../job/job.fixture.ts';
import { payerOf } from './evaluate-payment.ts';

describe('payerOf', () => {
  const alice = '0xa';
  const bob = '0xb';

  it('is the sender of the plain transfer (design § 4)', () => {
    expect(payerOf([depositFixture({ from: alice })], DEADLINE_MS)).toBe(alice);
  });

  it('is the sender who paid most in all, so that dust sent ahead diverts nothing', () => {
    const deposits = [
      depositFixture({ from: bob, amountWei: 1n, blockNumber: 1 }),
      depositFixture({ from: alice, amountWei: 300n, blockNumber: 2 }),
      depositFixture({ from: bob, amountWei: 399n, blockNumber: 3 }),
      depositFixture({ from: alice, amountWei: 200n, blockNumber: 4 }),
    ];
    expect(payerOf(deposits, DEADLINE_MS)).toBe(alice);
  });

  it('is the first of senders who paid the same', () => {
    const deposits = [depositFixture({ from: bob, blockNumber: 2 }), depositFixture({ from: alice, blockNumber: 1 })];
    expect(payerOf(deposits, DEADLINE_MS)).toBe(alice);
  });

  it('is nobody when contracts or system credits brought the money (design § 4: held for an operator)', () => {
    const deposits = [depositFixture({ kind: 'internal', from: alice }), depositFixture({ kind: 'balance' })];
    expect(payerOf(deposits, DEADLINE_MS)).toBeNull();
  });

  it('is never one who paid late', () => {
    expect(payerOf([depositFixture({ from: alice, blockTimestampMs: DEADLINE_MS + 1 })], DEADLINE_MS)).toBeNull();
  });
});
