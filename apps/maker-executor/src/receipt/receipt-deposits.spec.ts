import type { CreditedDeposit } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { EMPTY_TOTALS } from '../ledger/ledger-entry.ts';
import { receiptDeposits } from './receipt-deposits.ts';

const PAYER = `0x${'aa'.repeat(20)}` as const;

function credited(id: string, amountWei: string, blockNumber: number, kind = 'transfer'): CreditedDeposit {
  const transactionHash = `0x${id.padStart(64, '0')}` as const;
  return { depositId: id, kind, amountWei, blockNumber, ...(kind === 'transfer' && { from: PAYER, transactionHash }) };
}

const booked = (depositWei: bigint, surplusWei = 0n) => ({ depositWei, totals: { ...EMPTY_TOTALS, surplusWei } });

describe('deposits of the receipt file (docs/receipt.md)', () => {
  it('are the transfers that the ledger has booked, those that pay and those that go back', () => {
    const deposits = [credited('2', '7', 9), credited('1', '100', 5)];
    const told = receiptDeposits(booked(100n, 7n), deposits, [{ depositIds: ['2'] }]);
    expect(told.map(({ amountWei, pays, kind }) => [amountWei, pays, kind])).toEqual([
      ['100', true, 'transfer'],
      ['7', false, 'transfer'],
    ]);
  });

  it('are without a trace as far as no plain transfer explains what was booked', () => {
    const told = receiptDeposits(booked(100n, 3n), [credited('1', '60', 5), credited('2', '40', 6, 'internal')], []);
    expect(told.map(({ amountWei, pays, kind }) => [amountWei, pays, kind])).toEqual([
      ['60', true, 'transfer'],
      ['40', true, 'untraced'],
      ['3', false, 'untraced'],
    ]);
  });

  it('leave out what has arrived and is not booked yet', () => {
    expect(receiptDeposits(booked(100n), [credited('1', '100', 5), credited('2', '50', 8)], [])).toHaveLength(1);
  });
});
