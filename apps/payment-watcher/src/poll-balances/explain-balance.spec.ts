import { WEI_PER_HYPE } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { DEADLINE_MS, depositOf, TRANSACTION, WALLET, watchOf } from '../deposit/deposit.fixture.ts';
import { depositOfSurplus, explainBalance, mayBeCredit } from './explain-balance.ts';

const fact = { balanceWei: 5n, blockNumber: 20, timestampMs: DEADLINE_MS - 500 };

describe('explainBalance', () => {
  it('credits nothing for explained balances', () => {
    expect(explainBalance(watchOf(), fact, depositOf().amountWei)).toEqual({ kind: 'explained' });
    expect(explainBalance(watchOf(), { ...fact, balanceWei: 0n }, 0n)).toEqual({ kind: 'explained' });
  });

  it('finds a surplus that no block showed', () => {
    const explanation = explainBalance(watchOf(), { ...fact, balanceWei: 8n }, depositOf().amountWei);
    expect(explanation).toEqual({ kind: 'surplus', surplusWei: 3n });
  });

  it('skips spending wallets but explains earlier balances', () => {
    expect(explainBalance(watchOf({ spendingSinceBlock: 20 }), fact, 0n)).toEqual({ kind: 'spending' });
    expect(explainBalance(watchOf({ spendingSinceBlock: 21 }), fact, 0n)).toMatchObject({ kind: 'surplus' });
  });

  it('detects a balance below the known deposits', () => {
    const explanation = explainBalance(watchOf(), { ...fact, balanceWei: 1n }, depositOf().amountWei);
    expect(explanation).toEqual({ kind: 'shortfall', missingWei: 4n });
  });
});

describe('depositOfSurplus', () => {
  it('names a rise by the balance reached', () => {
    const first = depositOfSurplus(watchOf(), fact, 5n);
    const later = depositOfSurplus(watchOf(), { ...fact, blockNumber: 30 }, 5n);
    expect(first.depositId).toBe(`${WALLET}:balance:5`);
    expect(later.depositId).toBe(first.depositId);
    expect(depositOfSurplus(watchOf(), { ...fact, balanceWei: 10n }, 5n).depositId).not.toBe(first.depositId);
  });

  it('takes the naming transaction as cause', () => {
    const cause = { transactionHash: TRANSACTION, blockNumber: 18, blockAtMs: DEADLINE_MS - 2000 };
    const later = { transactionHash: `0x${'22'.repeat(32)}`, blockNumber: 21, blockAtMs: DEADLINE_MS } as const;
    expect(depositOfSurplus(watchOf({ mentions: [later, cause] }), fact, 5n)).toMatchObject({
      kind: 'internal',
      transactionHash: TRANSACTION,
      blockNumber: 18,
      blockAtMs: DEADLINE_MS - 2000,
      seenAtBlock: 20,
    });
    expect(depositOfSurplus(watchOf({ mentions: [later] }), fact, 5n).kind).toBe('balance');
    const between = { ...later, blockNumber: 20 };
    expect(depositOfSurplus(watchOf({ mentions: [between, cause] }), fact, 5n).blockNumber).toBe(18);
    expect(depositOfSurplus(watchOf({ mentions: [between] }), fact, 5n)).toMatchObject({
      kind: 'internal',
      blockNumber: 20,
    });
  });

  it('has no fields for unknown facts', () => {
    expect(depositOfSurplus(watchOf(), fact, 3n)).toEqual({
      depositId: `${WALLET}:balance:5`,
      address: WALLET,
      jobId: watchOf().jobId,
      kind: 'balance',
      amountWei: 3n,
      occurrence: 1,
      blockNumber: 20,
      blockAtMs: fact.timestampMs,
      seenAtBlock: 20,
    });
  });

  it('counts possible earlier money as timely', () => {
    const after = { ...fact, timestampMs: DEADLINE_MS + 60_000 };
    const before = watchOf({ readAt: new Date(DEADLINE_MS - 10_000), readAtBlock: 5 });
    expect(depositOfSurplus(before, after, 5n).blockAtMs).toBe(DEADLINE_MS);
    expect(depositOfSurplus(watchOf(), after, 5n).blockAtMs).toBe(DEADLINE_MS);
    expect(depositOfSurplus(before, fact, 5n).blockAtMs).toBe(fact.timestampMs);
  });

  it('counts later money as late', () => {
    const read = watchOf({ readAt: new Date(DEADLINE_MS + 1000), readAtBlock: 5 });
    const late = { ...fact, timestampMs: DEADLINE_MS + 60_000 };
    expect(depositOfSurplus(read, late, 5n).blockAtMs).toBe(DEADLINE_MS + 60_000);
  });
});

describe('mayBeCredit: a possible credit from HyperCore', () => {
  const credit = WEI_PER_HYPE / 100n;

  it('is money without a transaction that names the address', () => {
    expect(mayBeCredit(watchOf(), credit, 20)).toBe(true);
    const mention = { transactionHash: TRANSACTION, blockNumber: 18, blockAtMs: DEADLINE_MS - 2000 };
    expect(mayBeCredit(watchOf({ mentions: [mention] }), credit, 20)).toBe(false);
    expect(mayBeCredit(watchOf({ mentions: [mention] }), credit, 18)).toBe(false);
    expect(mayBeCredit(watchOf({ mentions: [mention] }), credit, 17)).toBe(true);
  });

  it('is not dust', () => {
    expect(mayBeCredit(watchOf(), credit - 1n, 20)).toBe(false);
  });
});
