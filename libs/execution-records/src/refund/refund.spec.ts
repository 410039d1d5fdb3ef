import { describe, expect, it } from 'vitest';
import { EMPTY_TOTALS } from '../ledger/ledger-entry.ts';
import {
  isCovered,
  isUnexplained,
  NO_REFUNDS,
  ownBalance,
  type Refund,
  type RefundState,
  reservedForRefunds,
  sumRefunds,
  surplusForDue,
  UNEXPLAINED_DEPOSIT,
  unexplainedDepositId,
  unexplainedSurplus,
} from './refund.ts';

const refund = (id: string, amountWei: bigint, state: RefundState = 'due'): Refund => ({
  id,
  jobId: 'job',
  depositIds: [id],
  amountWei,
  to: null,
  holdReason: null,
  blockNumber: 1,
  state,
  recordedAt: new Date(0),
});

const book = (surplusWei: bigint, absorbedWei = 0n) => ({ totals: { ...EMPTY_TOTALS, surplusWei }, absorbedWei });

describe('surplus that no deposit explains (design § 4)', () => {
  it('is the income less every known refund', () => {
    const refunds = [
      refund('a', 3n),
      refund('b', 4n, 'held'),
      refund('c', 5n, 'returned'),
      refund('d', 6n, 'reported'),
    ];
    expect(unexplainedSurplus(book(20n), sumRefunds(refunds))).toBe(2n);
  });

  it('leaves out money that left with the rest', () => {
    expect(unexplainedSurplus(book(5n, 5n), NO_REFUNDS)).toBe(0n);
    expect(unexplainedSurplus(book(5n, 5n), sumRefunds([refund('late', 5n, 'with_the_rest')]))).toBe(0n);
  });
});

describe('money reserved for due refunds (design § 4)', () => {
  it('is their sum, limited by the income', () => {
    expect(reservedForRefunds(book(9n), sumRefunds([refund('a', 3n), refund('b', 4n)]))).toBe(7n);
    expect(reservedForRefunds(book(5n), sumRefunds([refund('a', 3n), refund('b', 4n)]))).toBe(5n);
  });

  it('includes money awaiting the job service’s decision', () => {
    expect(reservedForRefunds(book(9n), sumRefunds([refund('a', 3n), refund('b', 4n, 'reported')]))).toBe(7n);
  });

  it('is not the job’s own, the free rest is', () => {
    const held = { totals: { ...EMPTY_TOTALS, depositWei: 100n, surplusWei: 9n, heldWei: 20n }, absorbedWei: 0n };
    expect(ownBalance(held, sumRefunds([refund('a', 3n), refund('b', 4n)]))).toBe(82n);
  });

  it('counts no others’ money and never goes below zero', () => {
    expect(reservedForRefunds(book(9n), sumRefunds([refund('a', 3n), refund('held', 8n, 'held')]))).toBe(1n);
    expect(reservedForRefunds(book(9n), sumRefunds([refund('held', 8n, 'held')]))).toBe(0n);
    expect(reservedForRefunds(book(4n), sumRefunds([refund('a', 3n), refund('held', 8n, 'held')]))).toBe(0n);
  });
});

describe('sums of refunds', () => {
  it('add refunds by state to earlier sums', () => {
    const before = sumRefunds([refund('a', 3n), refund('b', 4n, 'held')]);
    expect(before).toEqual({ ...NO_REFUNDS, due: 3n, held: 4n });
    expect(sumRefunds([refund('c', 5n)], before)).toEqual({ ...NO_REFUNDS, due: 8n, held: 4n });
    expect(before.due).toBe(3n);
  });
});

describe('a refund', () => {
  const covered = (one: Refund, execution: ReturnType<typeof book>, refunds: readonly Refund[], freeWei: bigint) =>
    isCovered(one, surplusForDue(execution, sumRefunds(refunds)), freeWei);

  it('is covered in order, one refund after another', () => {
    const both = [refund('a', 5n), refund('b', 5n)];
    expect(covered(refund('a', 5n), book(5n), both, 5n)).toBe(true);
    expect(covered(refund('b', 5n), book(5n), [refund('a', 5n, 'returned'), refund('b', 5n)], 5n)).toBe(false);
  });

  it('is covered by unclaimed money in the wallet', () => {
    expect(covered(refund('a', 5n), book(5n), [refund('a', 5n)], 5n)).toBe(true);
    expect(covered(refund('a', 5n), book(5n), [refund('a', 5n), refund('b', 5n, 'returned')], 5n)).toBe(false);
  });

  it('is uncovered after its money left with the rest', () => {
    expect(covered(refund('a', 5n), book(5n, 5n), [refund('a', 5n)], 100n)).toBe(false);
    expect(covered(refund('a', 5n), book(5n), [refund('a', 5n)], 4n)).toBe(false);
  });
});

describe('money that no deposit explains', () => {
  const id = unexplainedDepositId('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', 4);

  it('is known by all its deposits', () => {
    expect(isUnexplained({ depositIds: [id] })).toBe(true);
    expect(isUnexplained({ depositIds: ['known'] })).toBe(false);
    expect(isUnexplained({ depositIds: [id, 'known'] })).toBe(false);
  });

  it('is found in the database by its id', () => {
    expect(UNEXPLAINED_DEPOSIT.test(id)).toBe(true);
    expect(UNEXPLAINED_DEPOSIT.test('known')).toBe(false);
  });
});

it('unexplained money has one id for any spelling', () => {
  const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
  expect(unexplainedDepositId(wallet, 7)).toBe('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65:surplus:7');
  expect(unexplainedDepositId(wallet.toLowerCase() as typeof wallet, 7)).toBe(unexplainedDepositId(wallet, 7));
});
