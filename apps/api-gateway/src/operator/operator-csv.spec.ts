import type { OperatorJob } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { paymentFixture } from '../service-answers.fixture.ts';
import { JOBS_CSV_HEADER, jobLine, LEDGER_CSV_HEADER, ledgerLine } from './operator-csv.ts';

const job: OperatorJob = {
  ...paymentFixture({ receivedWei: '5', lateWei: '1000000000000000000' }),
  tokenAddress: '0x1',
  createdAt: '2026-01-01T00:00:00.000Z',
  walletIndex: 7,
  returnAddress: null,
  returns: [
    { amountWei: '3', status: 'held', reason: 'a, b' },
    { amountWei: '2', status: 'returned' },
  ],
};

const row = (header: string, line: string) => {
  const values = line.trimEnd().split(',');
  return Object.fromEntries(
    header
      .trimEnd()
      .split(',')
      .map((name, index) => [name, values[index]]),
  );
};

describe('exports for operators', () => {
  it('writes a job with exact decimals and returned money', () => {
    expect(row(JOBS_CSV_HEADER, jobLine(job))).toMatchObject({
      wallet_index: '7',
      received_hype: '0.000000000000000005',
      late_hype: '1',
      return_address: '',
      returns_held_hype: '0.000000000000000003',
      returns_made_hype: '0.000000000000000002',
    });
  });

  it('writes a ledger entry in wei and in HYPE', () => {
    const line = {
      id: 'job/fee/fee',
      kind: 'fee',
      from: 'wallet',
      to: 'treasury',
      amount: '10',
      transactionHash: null,
      blockNumber: 3,
      recordedAt: '2026-01-01T00:00:00.000Z',
    };
    const hype = row(LEDGER_CSV_HEADER, ledgerLine({ ...line, asset: 'hype' }));
    expect(hype).toMatchObject({ amount: '10', amount_hype: '0.00000000000000001', block_number: '3' });
    expect(row(LEDGER_CSV_HEADER, ledgerLine({ ...line, asset: 'token' })).amount_hype).toBe('');
  });
});
