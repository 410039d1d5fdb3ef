import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { ACCOMPLICE, honestReceipt, PAYER, STRANGER } from '../honest-receipt.fixture.ts';
import { owedToOthers, refundsBroken } from './entitlements.ts';
import { Evidence } from './evidence.ts';

const { receipt, facts } = honestReceipt(2);
const [paid] = receipt.deposits;
const [refund] = receipt.transfers.filter(({ kind }) => kind === 'refund');
if (!paid || !refund) throw new Error('a deposit and a refund');
const GAS_WEI = BigInt(refund.gasWei);

const came = (from: typeof PAYER | null, hype: string, blockNumber: number | null = 1) => ({
  ...paid,
  kind: from === null ? ('untraced' as const) : ('transfer' as const),
  from,
  amountWei: `${parseHype(hype)}`,
  blockNumber,
  pays: false,
});
const goes = (to: typeof PAYER, wei: bigint, change: Partial<typeof refund> = {}) => ({
  ...refund,
  to,
  amount: `${wei}`,
  ...change,
});

function broken(deposits: SignedReceipt['deposits'], ...transfers: SignedReceipt['transfers']): string[] {
  const returnAddress = PAYER;
  return [
    ...refundsBroken(
      new Evidence({ ...receipt, returnAddress, deposits: [paid, ...deposits] as never, transfers }, facts),
    ),
  ];
}
const all = (hype: string) => parseHype(hype) - GAS_WEI;

describe('refunds go to the senders of the money', () => {
  it('each up to the deposit less gas', () => {
    const both = [came(STRANGER, '1'), came(ACCOMPLICE, '2')];
    expect(broken(both, goes(STRANGER, all('1')), goes(ACCOMPLICE, all('2')))).toEqual([]);
    expect(broken(both, goes(STRANGER, all('1') + 1n))).toHaveLength(1);
    expect(broken(both, goes(STRANGER, all('2')))).toEqual([
      expect.stringMatching(
        /^The refund with nonce \d+ gives 1\.9\d+ HYPE to 0xb{40}, which had sent only 1 HYPE for no order\.$/,
      ),
    ]);
  });

  it('not twice', () => {
    expect(broken([came(STRANGER, '1')], goes(STRANGER, all('1')), goes(STRANGER, 1n))).toEqual([
      expect.stringContaining('and already got 1 HYPE back'),
    ]);
    const failed = goes(STRANGER, 0n, { succeeded: false });
    expect(broken([came(STRANGER, '1')], failed, goes(STRANGER, all('1')))).toHaveLength(1);
    expect(broken([came(STRANGER, '1')], failed, goes(STRANGER, all('1') - GAS_WEI))).toEqual([]);
  });

  it('not to an accomplice of one wei', () => {
    const deposits = [came(PAYER, '5'), { ...came(ACCOMPLICE, '0'), amountWei: '1' }];
    expect(broken(deposits, goes(ACCOMPLICE, parseHype('4')))).toEqual([
      expect.stringContaining('which had sent only 0.000000000000000001 HYPE for no order'),
    ]);
    expect(broken(deposits, goes(PAYER, all('5')))).toEqual([]);
  });

  it('not before they sent it', () => {
    const late = [came(STRANGER, '1', refund.blockNumber + 1)];
    expect(broken(late, goes(STRANGER, 1n))).toEqual([expect.stringContaining('which is owed nothing')]);
  });

  it('follow sending order from the deposit’s block', () => {
    const two = [came(STRANGER, '1', 10), came(STRANGER, '1', 40)];
    const early = goes(STRANGER, all('1'), { nonce: 10, blockNumber: 10 });
    const later = goes(STRANGER, all('1'), { nonce: 20, blockNumber: 50 });
    expect(broken(two, later, early)).toEqual([]);
    expect(broken(two, later, { ...early, blockNumber: 9 })).toHaveLength(1);
  });

  it('give senderless money to the job’s owner', () => {
    expect(broken([came(null, '1', null)], goes(PAYER, all('1')))).toEqual([]);
    expect(broken([came(null, '1', null)], goes(STRANGER, 1n))).toEqual([expect.stringContaining('is owed nothing')]);
  });

  it('not from the payment for the job', () => {
    expect(broken([], goes(PAYER, 1n))).toEqual([expect.stringContaining('is owed nothing')]);
  });
});

it('lists unrefunded money by sender', () => {
  const owed = (...transfers: SignedReceipt['transfers']) => {
    const deposits = [paid, came(STRANGER, '1'), came(ACCOMPLICE, '2'), came(PAYER, '3'), came(null, '4')];
    return [...owedToOthers(new Evidence({ ...receipt, deposits, transfers }, facts))];
  };
  expect(owed()).toEqual([
    [STRANGER, parseHype('1')],
    [ACCOMPLICE, parseHype('2')],
  ]);
  expect(owed(goes(STRANGER, all('1')))).toEqual([[ACCOMPLICE, parseHype('2')]]);
});
