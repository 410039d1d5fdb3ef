import { describe, expect, it } from 'vitest';
import {
  addEntries,
  EMPTY_TOTALS,
  expectedBalance,
  freeBalance,
  gasPaid,
  type LedgerKind,
  ledgerEntry,
  reversed,
} from './ledger-entry.ts';

const entry = (kind: LedgerKind, amountWei: bigint) =>
  ledgerEntry('job/x', kind, {
    jobId: 'job',
    amountWei,
    recordedAt: new Date(0),
  });

describe('ledger', () => {
  const totals = addEntries(EMPTY_TOTALS, [
    entry('deposit', 1000n),
    entry('fee', 300n),
    entry('gas', 5n),
    entry('order', 100n),
    entry('order_gas', 10n),
    entry('bought', 77n),
    entry('order_gas', 1n),
  ]);

  it('is double-entry', () => {
    expect(entry('fee', 1n)).toMatchObject({ from: 'wallet', to: 'treasury', asset: 'hype' });
    expect(entry('bought', 1n)).toMatchObject({ from: 'pool', to: 'wallet', asset: 'token' });
  });

  it.each<[LedgerKind, string]>([
    ['deposit', 'hype: payer → wallet'],
    ['surplus', 'hype: payer → wallet'],
    ['fee', 'hype: wallet → treasury'],
    ['order', 'hype: wallet → pool'],
    ['order_gas', 'hype: wallet → gas'],
    ['gas', 'hype: wallet → gas'],
    ['returned', 'hype: wallet → payer'],
    ['held', 'hype: wallet → held'],
    ['released', 'hype: held → wallet'],
    ['missing', 'hype: wallet → unknown'],
    ['bought', 'token: pool → wallet'],
    ['delivered', 'token: wallet → payer'],
  ])('books %s as %s and reverses it', (kind, move) => {
    const { asset, from, to } = entry(kind, 1n);
    expect(`${asset}: ${from} → ${to}`).toBe(move);
    expect(reversed(entry(kind, 1n), new Date(1))).toMatchObject({ asset, from: to, to: from, amountWei: 1n });
    const back = addEntries(totals, [entry(kind, 7n), reversed(entry(kind, 7n), new Date(1))]);
    expect(back).toEqual(totals);
  });

  it('balances the wallet to the wei', () => {
    expect(freeBalance(totals)).toBe(1000n - 300n - 5n - 100n - 11n);
    const held = addEntries(totals, [entry('held', 584n)]);
    expect(freeBalance(held)).toBe(0n);
    expect(expectedBalance(held)).toBe(584n);
  });

  it("counts orders' gas and other gas as gas", () => {
    expect(gasPaid(totals)).toBe(16n);
  });

  it('names each entry by its source and kind', () => {
    expect(entry('fee', 1n).id).toBe(entry('fee', 2n).id);
    expect(entry('fee', 1n).id).not.toBe(entry('gas', 1n).id);
  });
});
