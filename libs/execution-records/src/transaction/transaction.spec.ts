import { describe, expect, it } from 'vitest';
import {
  currentAttempt,
  type Inclusion,
  isShort,
  mostTaken,
  type TransactionRecord,
  wasReverted,
} from './transaction.ts';

const attempt = (valueWei: bigint, maxFeePerGasWei: bigint) =>
  ({ hash: `0x${valueWei}`, rawTransaction: '0x02', valueWei, maxFeePerGasWei, maxPriorityFeePerGasWei: 0n }) as const;
const inclusion = { succeeded: true, movedWei: 7n, gasWei: 3n, receivedTokens: 5n } as Inclusion;
const record = { id: 'job/fee', gasLimit: 10, attempts: [attempt(100n, 2n), attempt(90n, 4n)], inclusion: null };
const transaction = record as unknown as TransactionRecord;

describe('a signed transaction (design § 5)', () => {
  it('is broadcast by its last bytes', () => {
    expect(currentAttempt(transaction)).toEqual(attempt(90n, 4n));
    expect(() => currentAttempt({ ...transaction, attempts: [] })).toThrow('Transaction job/fee has no signed bytes');
  });

  it('reserves the most its dearest bytes cost', () => {
    expect(mostTaken(transaction)).toBe(130n);
    expect(mostTaken({ ...transaction, attempts: [attempt(200n, 1n), attempt(90n, 4n)] })).toBe(210n);
    expect(mostTaken({ ...transaction, inclusion })).toBe(10n);
  });

  it('is short below the order’s minimum', () => {
    const terms = (minimumTokens: bigint) => ({ minimumTokens, quotedTokens: minimumTokens, expiresAt: new Date(0) });
    expect(isShort({ terms: terms(5n), inclusion })).toBe(false);
    expect(isShort({ terms: terms(6n), inclusion })).toBe(true);
    expect(isShort({ terms: terms(6n), inclusion: { ...inclusion, succeeded: false } })).toBe(false);
    expect(isShort({ terms: terms(6n), inclusion: null })).toBe(false);
    expect(isShort({ inclusion })).toBe(false);
  });

  it('was reverted when mined without success', () => {
    expect(wasReverted({ ...transaction, inclusion: { ...inclusion, succeeded: false } })).toBe(true);
    expect(wasReverted({ ...transaction, inclusion })).toBe(false);
    expect(wasReverted(transaction)).toBe(false);
  });
});
