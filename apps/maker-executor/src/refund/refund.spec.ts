import { describe, expect, it } from 'vitest';
import { EMPTY_TOTALS } from '../ledger/ledger-entry.ts';
import {
  goesRound,
  isCovered,
  ownBalance,
  type Refund,
  type RefundState,
  refundTransfers,
  reservedForRefunds,
  surplusForDue,
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

  it('is also what the job service is still to decide about', () => {
    expect(reservedForRefunds(book(9n), [refund('a', 3n), refund('b', 4n, 'reported')])).toBe(7n);
  });

  it('is not the job’s own: the rest of what is free is', () => {
    const held = { totals: { ...EMPTY_TOTALS, depositWei: 100n, surplusWei: 9n, heldWei: 20n }, absorbedWei: 0n };
    expect(ownBalance(held, [refund('a', 3n), refund('b', 4n)])).toBe(82n);
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

describe('money that comes back each time that it is returned (threats, law 1)', () => {
  const to = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
  const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const unexplained = (block: number, state: RefundState, recipient = to): Refund => {
    const id = unexplainedDepositId('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', block);
    return { ...refund(`return-${block}`, 5n, state), depositIds: [id], to: recipient as Refund['to'] };
  };
  const returned = [1, 2, 3].map((block) => unexplained(block, 'returned'));

  it('goes three times to one address, and no more', () => {
    expect(goesRound(unexplained(3, 'due'), returned.slice(0, 2))).toBe(false);
    expect(goesRound(unexplained(4, 'due'), returned)).toBe(true);
  });

  it('holds up nothing that goes to somebody else, or that a deposit explains', () => {
    expect(goesRound(unexplained(4, 'due', other), returned)).toBe(false);
    expect(goesRound({ ...refund('known', 5n), to }, returned)).toBe(false);
    const partly = unexplained(4, 'due');
    expect(goesRound({ ...partly, depositIds: [...partly.depositIds, 'known'] }, returned)).toBe(false);
    expect(goesRound(unexplained(4, 'due'), [...returned.slice(1), unexplained(1, 'held')])).toBe(false);
  });
});

it('money that no deposit explains has one id, however its wallet is written', () => {
  const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
  expect(unexplainedDepositId(wallet, 7)).toBe('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65:surplus:7');
  expect(unexplainedDepositId(wallet.toLowerCase() as typeof wallet, 7)).toBe(unexplainedDepositId(wallet, 7));
});

it('transfers that send a refund are found by it, and those of every refund by the job', () => {
  expect(refundTransfers('job', 'a')).toBe('job/refund/a/');
  expect(refundTransfers('job')).toBe('job/refund/');
  expect('job/refund/ab/1'.startsWith(refundTransfers('job', 'a'))).toBe(false);
});
