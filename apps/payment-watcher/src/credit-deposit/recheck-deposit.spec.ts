import { describe, expect, it } from 'vitest';
import { depositOf, PAYER, WALLET, watchOf } from '../deposit/deposit.fixture.ts';
import { recheckRise } from './recheck-deposit.ts';

describe('a rise of a balance', () => {
  const SCANNED = 11;
  const rise = depositOf({ kind: 'balance', depositId: `${WALLET}:balance:5` });
  const reading = (balanceWei: bigint, blockNumber = 11) => ({
    blockNumber,
    timestampMs: 0,
    addresses: [WALLET],
    balances: new Map([[WALLET, balanceWei]]),
  });

  it('is credited while a later block shows the balance', () => {
    expect(recheckRise(rise, reading(5n), rise.amountWei, watchOf(), 1, SCANNED)).toBe('credit');
    expect(recheckRise(rise, reading(7n), rise.amountWei, watchOf(), 1, SCANNED)).toBe('credit');
  });

  it('waits for a reading far enough above', () => {
    expect(recheckRise(rise, reading(5n, 10), rise.amountWei, watchOf(), 1, SCANNED)).toBe('wait');
    expect(recheckRise(rise, reading(5n, 12), rise.amountWei, watchOf(), 3, SCANNED)).toBe('wait');
  });

  it('is dropped when the balance is gone', () => {
    const earlier = depositOf({ from: PAYER });
    expect(recheckRise(rise, reading(5n), rise.amountWei + earlier.amountWei, watchOf(), 1, SCANNED)).toBe('drop');
    expect(recheckRise(rise, { ...reading(0n), balances: new Map() }, rise.amountWei, watchOf(), 1, SCANNED)).toBe(
      'drop',
    );
  });

  it('is judged by balance after its watch ended', () => {
    expect(recheckRise(rise, reading(5n), rise.amountWei, undefined, 1, SCANNED)).toBe('credit');
    expect(recheckRise(rise, reading(4n), rise.amountWei, undefined, 1, SCANNED)).toBe('drop');
    expect(recheckRise(rise, reading(5n, 13), rise.amountWei, watchOf(), 3, 13)).toBe('credit');
  });

  it('is kept until the reading’s block is scanned', () => {
    expect(recheckRise(rise, reading(1n, 12), rise.amountWei, watchOf(), 1, SCANNED)).toBe('wait');
  });

  it('is dropped once the wallet spends', () => {
    expect(recheckRise(rise, reading(5n), rise.amountWei, watchOf({ spendingSinceBlock: 11 }), 1, SCANNED)).toBe(
      'drop',
    );
  });
});
