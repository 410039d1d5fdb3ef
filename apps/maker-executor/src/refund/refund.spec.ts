import { describe, expect, it } from 'vitest';
import { EMPTY_TOTALS } from '../ledger/ledger-entry.ts';
import {
  isCovered,
  type Refund,
  type RefundState,
  reservedForRefunds,
  surplusForDue,
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
  it('is what came less every refund that was heard of, whatever became of it', () => {
    const refunds = [
      refund('a', 3n),
      refund('b', 4n, 'held'),
      refund('c', 5n, 'returned'),
      refund('d', 6n, 'reported'),
    ];
    expect(unexplainedSurplus(book(20n), refunds)).toBe(2n);
  });

  it('leaves out what went with the rest, so that it is not told a second time when its deposit is heard of', () => {
    expect(unexplainedSurplus(book(5n, 5n), [])).toBe(0n);
    expect(unexplainedSurplus(book(5n, 5n), [refund('late', 5n, 'with_the_rest')])).toBe(0n);
  });
});

describe('what is reserved for refunds that are due (design § 4)', () => {
  it('is what they ask for, as far as it came', () => {
    expect(reservedForRefunds(book(9n), [refund('a', 3n), refund('b', 4n)])).toBe(7n);
    expect(reservedForRefunds(book(5n), [refund('a', 3n), refund('b', 4n)])).toBe(5n);
  });

  it('is nothing of what came for others, and never below zero', () => {
    expect(reservedForRefunds(book(9n), [refund('a', 3n), refund('held', 8n, 'held')])).toBe(1n);
    expect(reservedForRefunds(book(9n), [refund('held', 8n, 'held')])).toBe(0n);
    expect(reservedForRefunds(book(4n), [refund('a', 3n), refund('held', 8n, 'held')])).toBe(0n);
  });
});

describe('a refund', () => {
  const covered = (one: Refund, execution: ReturnType<typeof book>, refunds: readonly Refund[], freeWei: bigint) =>
    isCovered(one, surplusForDue(execution, refunds), freeWei);

  it('is covered whatever else is due: the first of them is paid, and the next is judged after it', () => {
    const both = [refund('a', 5n), refund('b', 5n)];
    expect(covered(refund('a', 5n), book(5n), both, 5n)).toBe(true);
    expect(covered(refund('b', 5n), book(5n), [refund('a', 5n, 'returned'), refund('b', 5n)], 5n)).toBe(false);
  });

  it('is covered while its money is in the wallet and belongs to no other refund', () => {
    expect(covered(refund('a', 5n), book(5n), [refund('a', 5n)], 5n)).toBe(true);
    expect(covered(refund('a', 5n), book(5n), [refund('a', 5n), refund('b', 5n, 'returned')], 5n)).toBe(false);
  });

  it('is not covered by money of the job itself after its own left with the rest', () => {
    expect(covered(refund('a', 5n), book(5n, 5n), [refund('a', 5n)], 100n)).toBe(false);
    expect(covered(refund('a', 5n), book(5n), [refund('a', 5n)], 4n)).toBe(false);
  });
});
