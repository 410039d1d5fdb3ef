import { describe, expect, it } from 'vitest';
import { activeJob, orderNumber, receiptOf } from './receipt.fixture.ts';
import { receiptCsv } from './receipt-csv.ts';

describe('receiptCsv', () => {
  it('lists every order and transfer with exact amounts (design § 2.6)', () => {
    const transfers = [
      {
        kind: 'delivery' as const,
        status: 'final' as const,
        transactionHash: `0x${'d'.repeat(64)}` as const,
        to: `0x${'e'.repeat(40)}`,
        amount: '3000000000000000000',
        gasWei: '21000000000000',
      },
    ];
    const lines = receiptCsv(activeJob({ receipt: receiptOf({ transfers }) }), [orderNumber(1)]).split('\r\n');
    expect(lines).toEqual([
      'kind,number,time,status,transaction,block,exchange,hype,gas_hype,tokens_smallest_unit,to',
      `order,1,2026-01-01T12:00:01.000Z,final,0x${'1'.padStart(64, '0')},101,uniswap-v2,0.00038,0.00002,1000000000000000000,`,
      `delivery,,,final,0x${'d'.repeat(64)},,,,0.000021,3000000000000000000,0x${'e'.repeat(40)}`,
      '',
    ]);
  });

  it('keeps a text from breaking the table or running as a formula', () => {
    const csv = receiptCsv(activeJob(), [orderNumber(1, { exchange: '=1,"2"' })]);
    expect(csv).toContain(`,"'=1,""2""",`);
  });
});
