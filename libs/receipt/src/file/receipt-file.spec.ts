import { describe, expect, it } from 'vitest';
import { honestReceipt } from '../honest-receipt.fixture.ts';
import { type ReceiptFile, receiptFileSchema, type SignedReceipt } from './receipt-file.ts';

const { receipt } = honestReceipt(1);
const SIGNATURE = `0x${'0f'.repeat(64)}1c`;

/** Problems of a file with a change; empty if it is valid. */
function faults(change: Partial<Record<keyof SignedReceipt, unknown>>, signature = SIGNATURE): string[] {
  const { error } = receiptFileSchema.safeParse({ receipt: { ...receipt, ...change }, signature });
  return error?.issues.map(({ path, message }) => `${path.join('.').replace('receipt.', '')} ${message}`) ?? [];
}

const [deposit] = receipt.deposits;
const deposits = (change: object) => ({ deposits: [{ ...deposit, ...change }] });

describe('the form of a receipt file (docs/receipt.md)', () => {
  it('is a signed file, final or interim', () => {
    const file = { receipt, signature: SIGNATURE };
    expect(receiptFileSchema.parse(file)).toEqual(file as ReceiptFile);
    expect(faults({ state: 'interim', ...deposits({ kind: 'untraced', transactionHash: null, from: null }) })).toEqual(
      [],
    );
  });

  it.each(['-1', '01', '1.5', ' 1', '1 ', '0x1', '1e3', ''])('has one notation of amounts, not %j', (amountWei) => {
    expect(faults(deposits({ amountWei }))).toEqual([
      'deposits.0.amountWei must be a whole number as a decimal string',
    ]);
    expect(faults(deposits({ amountWei: '0' }))).toEqual([]);
  });

  const address = `0x${'ab'.repeat(20)}`;
  it.each([address.toUpperCase(), `0x${'AB'.repeat(20)}`, `${address}0`, `x${address}`, address.slice(0, -1)])(
    'has an address in lower case, and not %s',
    (wallet) => {
      expect(faults({ wallet })).toEqual(['wallet must be an address in lower case']);
    },
  );

  const hash = `0x${'ab'.repeat(32)}`;
  it.each([`0x${'AB'.repeat(32)}`, `${hash}0`, `x${hash}`, hash.slice(0, -1)])(
    'has a hash in lower case, and not %s',
    (transactionHash) => {
      expect(faults(deposits({ transactionHash }))).toEqual([
        'deposits.0.transactionHash must be a hash in lower case',
      ]);
    },
  );

  const time = '2026-01-31T12:00:00.000Z';
  it.each(['2026-01-31T12:00:00Z', `${time} `, ` ${time}`, '31.1.2026'])(
    'has a time to the millisecond, and not %j',
    (releasedAt) => {
      expect(faults({ releasedAt })[0]).toBe(`releasedAt must be a time such as ${time}`);
      expect(faults({ releasedAt: '2026-13-31T12:00:00.000Z' })).toEqual(['releasedAt is no time']);
    },
  );

  it.each([`${SIGNATURE}0`, `x${SIGNATURE}`, SIGNATURE.toUpperCase(), `0x${'0f'.repeat(64)}00`])(
    'has a signature of 65 bytes, and not %s',
    (signature) => {
      expect(faults({}, signature)).toEqual(['signature must be 65 bytes in lower case, the last of them 1b or 1c']);
    },
  );
});
