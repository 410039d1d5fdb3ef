import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { CoreLedger } from './core-ledger.ts';
import { SYSTEM_ADDRESS } from './system-transactions.ts';

const ALICE: Hex = '0x00000000000000000000000000000000000000aa';
const BOB: Hex = '0x00000000000000000000000000000000000000bb';
const HYPE = 10n ** 18n;

function ledgerWith(wei: bigint): CoreLedger {
  const ledger = new CoreLedger();
  ledger.credit(ALICE, wei);
  return ledger;
}

describe('HYPE on HyperCore', () => {
  it('stays on HyperCore when sent to an address', () => {
    const ledger = ledgerWith(2n * HYPE);
    ledger.send(ALICE, BOB, HYPE);
    expect([ledger.balanceWei(ALICE), ledger.balanceWei(BOB)]).toEqual([HYPE, HYPE]);
    expect(ledger.takeCredits()).toEqual([]);
  });

  it('credits the sender once at the system address', () => {
    const ledger = ledgerWith(HYPE);
    ledger.send(ALICE, SYSTEM_ADDRESS, HYPE);
    expect(ledger.takeCredits()).toEqual([{ to: ALICE, amountWei: HYPE }]);
    expect(ledger.takeCredits()).toEqual([]);
    expect(ledger.balanceWei(ALICE)).toBe(0n);
  });

  it('rejects sends above balance or precision, unchanged', () => {
    const ledger = ledgerWith(HYPE);
    expect(() => ledger.send(ALICE, BOB, HYPE + 10n ** 10n)).toThrow('Insufficient balance');
    expect(() => ledger.send(ALICE, BOB, 1n)).toThrow('8 decimals');
    expect(() => ledger.send(ALICE, BOB, 0n)).toThrow('above zero');
    expect(ledger.balanceWei(ALICE)).toBe(HYPE);
  });

  it('shows 8 decimals, or no balances', () => {
    expect(ledgerWith(1_500_000_010_000_000_000n).spotBalances(ALICE).balances).toEqual([
      { coin: 'HYPE', token: 150, total: '1.50000001', hold: '0.0', entryNtl: '0.0' },
    ]);
    expect(ledgerWith(3n * HYPE).spotBalances(ALICE).balances[0]?.total).toBe('3.0');
    expect(new CoreLedger().spotBalances(BOB)).toEqual({ balances: [] });
  });

  it('loses amounts from HyperEVM below its precision', () => {
    const ledger = new CoreLedger();
    ledger.receiveFromEvm(BOB, HYPE + 9_999_999_999n);
    expect(ledger.balanceWei(BOB)).toBe(HYPE);
  });
});
