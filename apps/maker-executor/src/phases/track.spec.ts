import { EMPTY_TOTALS, type LedgerTotals, NO_REFUNDS, type TransactionRecord } from '@maker/execution-records';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  headAt,
  inclusionOf,
  NOTHING_YET,
  ofKind,
  sessionOf,
  ticked,
  transactionOf,
} from '../session/session.fixture.ts';
import { track } from './track.ts';

const GWEI = 1_000_000_000n;
const GAS_WEI = 21_000n * GWEI;
const MONEY_WEI = 10n ** 17n;

const signed = (nonce: number, purpose: 'fee' | 'return' | 'refund', costWei: bigint): TransactionRecord =>
  transactionOf(purpose, {
    id: `job/${purpose}/${nonce}`,
    nonce,
    attempts: [
      {
        hash: `0x${nonce}`,
        rawTransaction: '0x02',
        valueWei: costWei - GAS_WEI,
        maxFeePerGasWei: GWEI,
        maxPriorityFeePerGasWei: GWEI,
      },
    ],
  });

/** Returns the replacements of open transactions: ids, and most costs. */
function replaced(open: readonly TransactionRecord[], totals: Partial<LedgerTotals>, more: Answers = {}) {
  const execution = { id: 'job', phase: 'return', totals: { ...EMPTY_TOTALS, ...totals } } as const;
  const tick = ticked(sessionOf(execution, { open }), { ...NOTHING_YET, ...more }, { head: headAt(100) }, track);
  return ofKind(tick, 'replace').map(({ transaction, replacement }) => ({
    id: transaction.id,
    costWei: replacement.valueWei + 21_000n * replacement.maxFeePerGasWei,
  }));
}

describe('a transaction in a block (docs/adr/0116)', () => {
  const order = transactionOf('order', { id: 'job/order/1' });
  const reverted = inclusionOf({ succeeded: false, movedWei: 0n });

  function failures(open: readonly TransactionRecord[], answers: Answers): readonly [number, readonly string[]] {
    const session = sessionOf({ id: 'job', phase: 'trading' }, { open });
    const { session: after } = ticked(session, { ...NOTHING_YET, ...answers }, { head: headAt(100) }, track);
    return [after.execution.consecutiveFailures, after.open.map(({ state }) => state)];
  }

  it('is booked once hosts confirm it', () => {
    const open: TransactionRecord[] = [{ ...order, state: 'mined', inclusion: reverted }];
    expect(failures(open, { settled: () => ({ standing: [], lost: [] }) })).toEqual([0, ['mined']]);
    expect(failures(open, { settled: () => ({ standing: [order.id], lost: [] }) })).toEqual([1, []]);
    expect(failures(open, { settled: () => ({ standing: [], lost: [order.id] }) })).toEqual([0, ['broadcast']]);
  });

  it('is booked immediately if old and confirmed', () => {
    const found = { transaction: order, inclusion: reverted };
    expect(failures([order], { inclusions: () => [found] })).toEqual([1, []]);
    expect(failures([order], { inclusions: () => [{ ...found, isUnconfirmed: true }] })).toEqual([0, ['mined']]);
  });
});

describe('most cost of a replacement (docs/adr/0079)', () => {
  it('is the balance after earlier transactions', () => {
    const inclusion = inclusionOf({ blockNumber: 100, movedWei: 10n, gasWei: 3n });
    const fee: TransactionRecord = { ...signed(0, 'fee', MONEY_WEI), state: 'mined', inclusion };
    const open = [fee, signed(1, 'return', MONEY_WEI - 12n)];
    expect(replaced(open, { depositWei: MONEY_WEI })).toEqual([{ id: 'job/return/1', costWei: MONEY_WEI - 13n }]);
    expect(replaced(open, { depositWei: MONEY_WEI + 1n })).toEqual([]);
  });

  it('is unknown before those are in blocks', () => {
    const open = [signed(0, 'fee', MONEY_WEI), signed(1, 'return', MONEY_WEI)];
    expect(replaced(open, { depositWei: MONEY_WEI })).toEqual([]);
  });

  it('leaves the money of refunds', () => {
    const totals = { depositWei: MONEY_WEI, surplusWei: 50n };
    const due: Answers = { refundSums: () => ({ ...NO_REFUNDS, due: 50n }) };
    expect(replaced([signed(0, 'return', MONEY_WEI + 1n)], totals, due)).toEqual([
      { id: 'job/return/0', costWei: MONEY_WEI },
    ]);
    expect(replaced([signed(0, 'refund', MONEY_WEI + 1n)], totals, due)).toEqual([]);
  });

  it("includes the job's own held money", () => {
    const totals = { depositWei: MONEY_WEI, surplusWei: 50n, heldWei: MONEY_WEI + 50n };
    const held: Answers = { refundSums: () => ({ ...NO_REFUNDS, held: 50n }) };
    expect(replaced([signed(0, 'return', MONEY_WEI)], totals, held)).toEqual([]);
    expect(replaced([signed(0, 'return', MONEY_WEI + 1n)], totals, held)).toEqual([
      { id: 'job/return/0', costWei: MONEY_WEI },
    ]);
  });
});
