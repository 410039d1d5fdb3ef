import type { CreditedDeposit } from '@maker/contracts';
import { EMPTY_TOTALS } from '@maker/execution-records';
import { describe, expect, it } from 'vitest';
import { receiptDeposits } from './receipt-deposits.ts';

const PAYER = `0x${'aa'.repeat(20)}` as const;

function credited(id: string, amountWei: string, blockNumber: number, kind = 'transfer'): CreditedDeposit {
  const transactionHash = `0x${id.padStart(64, '0')}` as const;
  return { depositId: id, kind, amountWei, blockNumber, ...(kind === 'transfer' && { from: PAYER, transactionHash }) };
}

const booked = (depositWei: bigint, surplusWei = 0n) => ({ depositWei, totals: { ...EMPTY_TOTALS, surplusWei } });

describe('deposits of the receipt file (docs/receipt.md)', () => {
  it('are the booked transfers, paying and returned', () => {
    const deposits = [credited('2', '7', 9), credited('1', '100', 5)];
    const listed = receiptDeposits(booked(100n, 7n), deposits, [{ depositIds: ['2'] }]);
    expect(listed.map(({ amountWei, pays, kind }) => [amountWei, pays, kind])).toEqual([
      ['100', true, 'transfer'],
      ['7', false, 'transfer'],
    ]);
  });

  it('are untraced where no plain transfer explains them', () => {
    const listed = receiptDeposits(booked(100n, 3n), [credited('1', '60', 5), credited('2', '40', 6, 'internal')], []);
    expect(listed.map(({ amountWei, pays, kind }) => [amountWei, pays, kind])).toEqual([
      ['60', true, 'transfer'],
      ['40', true, 'untraced'],
      ['3', false, 'untraced'],
    ]);
  });

  it('leave out money that is not booked yet', () => {
    expect(receiptDeposits(booked(100n), [credited('1', '100', 5), credited('2', '50', 8)], [])).toHaveLength(1);
  });

  it('pay in block order, whenever they were credited', () => {
    const [paying] = receiptDeposits(booked(100n), [credited('2', '100', 9), credited('1', '100', 5)], []);
    expect(paying).toMatchObject({ blockNumber: 5, from: PAYER, transactionHash: `0x${'1'.padStart(64, '0')}` });
  });

  it('either pay or go back, never both', () => {
    const deposits = [credited('1', '7', 5), credited('2', '100', 6)];
    const shape = (refunded: string[]) =>
      receiptDeposits(booked(107n, 7n), deposits, [{ depositIds: refunded }]).map((one) => [
        one.amountWei,
        one.pays,
        one.kind,
      ]);
    expect(shape(['1'])).toEqual([
      ['100', true, 'transfer'],
      ['7', true, 'untraced'],
      ['7', false, 'transfer'],
    ]);
    expect(shape([])).toEqual([
      ['7', true, 'transfer'],
      ['100', true, 'transfer'],
      ['7', false, 'untraced'],
    ]);
  });

  it('leave out money that an operator wrote off', () => {
    const lost = { depositWei: 100n, totals: { ...EMPTY_TOTALS, missingWei: 10n } };
    expect(receiptDeposits(lost, [credited('1', '90', 5)], [])).toHaveLength(1);
  });

  it.each<[string, Partial<CreditedDeposit>]>([
    ['is no plain transfer', { kind: 'internal' }],
    ['has no sender', { from: undefined }],
    ['has no transaction', { transactionHash: undefined }],
  ])('are untraced if a deposit %s', (_, change) => {
    const [untraced] = receiptDeposits(booked(100n), [{ ...credited('1', '100', 5), ...change }], []);
    expect(untraced).toEqual({
      kind: 'untraced',
      from: null,
      transactionHash: null,
      blockNumber: null,
      amountWei: '100',
      pays: true,
    });
  });
});
