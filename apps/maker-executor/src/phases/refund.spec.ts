import { refundHeld, refundPaid } from '@maker/contracts';
import {
  ABSENT,
  beginAttempts,
  DUST,
  EMPTY_TOTALS,
  type Execution,
  type Refund,
  SENT_BACK,
  sumRefunds,
  unexplainedDepositId,
} from '@maker/execution-records';
import { NO_RECIPIENT } from '@maker/signing/agreement';
import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  type Decided,
  decided,
  headAt,
  inclusionOf,
  NOTHING_YET,
  ofKind,
  sessionOf,
  transactionOf,
} from '../session/session.fixture.ts';
import type { Session } from '../session/session.ts';

const to = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const AMOUNT_WEI = 10n ** 16n;

const unexplained = (block: number, recipient: Address = to): Refund => ({
  id: `return-${block}`,
  jobId: 'job',
  depositIds: [unexplainedDepositId('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', block)],
  amountWei: AMOUNT_WEI,
  to: recipient,
  holdReason: null,
  blockNumber: block,
  state: 'due',
  recordedAt: new Date(0),
});

const settleFact = { jobId: 'job', kind: 'settle', version: '1' } as const;

/** Returns a session of an ended job whose wallet has the money of one refund. */
function ended(change: Partial<Execution> = {}): Session {
  const totals = { ...EMPTY_TOTALS, surplusWei: AMOUNT_WEI };
  return sessionOf(
    { id: 'job', phase: 'completed', totals, returnAddress: to, ...change },
    { facts: [settleFact], highestNonce: 0 },
  );
}

const known = (due: Refund, more: Answers = {}): Answers => ({
  ...NOTHING_YET,
  balance: () => ({ balanceWei: AMOUNT_WEI, blockNumber: 100 }),
  usedNonces: () => 1,
  refund: () => due,
  refunds: () => [due],
  refundSums: () => sumRefunds([due]),
  unexplainedReturns: () => 0,
  ...more,
});

/** Settles one due refund of a wallet that has returned unexplained money to some addresses before. */
function settle(due: Refund, returned: Readonly<Partial<Record<Address, number>>>): Decided {
  const unexplainedReturns = ({ to: recipient }: { to: Address }) => returned[recipient] ?? 0;
  return decided(ended({ returnAddress: due.to }), known(due, { unexplainedReturns }), { head: headAt(100) });
}

const sentTo = (tick: Decided) =>
  ofKind(tick, 'send').flatMap(({ transactions }) => transactions.map((transaction) => transaction.to));

describe('money that its recipient sends back (threats, law 1)', () => {
  it('is sent to one address at most three times', () => {
    expect(sentTo(settle(unexplained(3), { [to]: 2 }))).toEqual([to]);
    const held = settle(unexplained(4), { [to]: 3 });
    expect(sentTo(held)).toEqual([]);
    expect(ofKind(held, 'settleRefunds')).toMatchObject([{ state: 'held', holdReason: SENT_BACK }]);
    expect(held.session.execution).toMatchObject({ heldReason: SENT_BACK, totals: { heldWei: AMOUNT_WEI } });
  });

  it('delays no other recipient', () => {
    expect(sentTo(settle(unexplained(4, other), { [to]: 3 }))).toEqual([other]);
  });

  it('does not delay explained deposits', () => {
    const returned = { [to]: 3 };
    expect(sentTo(settle({ ...unexplained(4), depositIds: ['known'] }, returned))).toEqual([to]);
    const partly = { ...unexplained(4), depositIds: [...unexplained(4).depositIds, 'known'] };
    expect(sentTo(settle(partly, returned))).toEqual([to]);
  });
});

/** A final return of the rest. */
const rest = transactionOf('return', {
  to: other,
  inclusion: inclusionOf({ hash: '0x8' }),
});

describe('a refund (design § 4)', () => {
  const due: Refund = { ...unexplained(3), id: 'r', depositIds: ['known'] };
  const refunding = (count: number, refusal: string | null = null) => ({
    refunding: {
      id: due.id,
      to: due.to ?? other,
      amountWei: AMOUNT_WEI,
      attempts: { ...beginAttempts(headAt(90).timestampMs), count, refusal },
    },
  });
  const block = (number: number, session: Session, more: Answers = {}) =>
    decided(session, known(due, more), { head: headAt(number) });
  const settled = (tick: Decided) =>
    ofKind(tick, 'settleRefunds').map(({ state, holdReason, events = [] }) => [
      state,
      holdReason,
      events.map(({ contract }) => contract.type),
    ]);
  const reverted = transactionOf('refund', { refundId: 'r', inclusion: inclusionOf({ succeeded: false, gasWei: 7n }) });

  it('is sent by a transfer from its own money', () => {
    const tick = block(100, ended());
    const [transaction] = ofKind(tick, 'send')[0]?.transactions ?? [];
    expect(transaction).toMatchObject({ id: 'job/refund/r/1', purpose: 'refund', refundId: 'r', to });
    const { valueWei = 0n, maxFeePerGasWei = 0n } = transaction ?? {};
    expect(valueWei + 21_000n * maxFeePerGasWei).toBe(AMOUNT_WEI);
    expect(tick.session.execution.refunding).toMatchObject({ id: 'r', amountWei: AMOUNT_WEI, attempts: { count: 1 } });
    expect(tick.session.facts).toEqual([settleFact]);
  });

  it('requests only its own transfers', () => {
    const asked: unknown[] = [];
    block(100, ended(), {
      signed: (question) => {
        asked.push(question);
        return [];
      },
    });
    expect(asked).toEqual([{ kind: 'signed', purposes: ['refund'], refundId: 'r' }]);
  });

  it('is resent for less, minus the first gas', () => {
    const totals = { ...EMPTY_TOTALS, surplusWei: AMOUNT_WEI, gasWei: 7n };
    const tick = block(100, ended({ totals, ...refunding(1) }), {
      balance: () => ({ balanceWei: AMOUNT_WEI - 7n, blockNumber: 100 }),
      signed: () => [reverted],
    });
    const [transaction] = ofKind(tick, 'send')[0]?.transactions ?? [];
    expect(transaction?.id).toBe('job/refund/r/2');
    const { valueWei = 0n, maxFeePerGasWei = 0n } = transaction ?? {};
    expect(valueWei + 21_000n * maxFeePerGasWei).toBe(AMOUNT_WEI - 7n);
    expect(tick.session.execution.refunding).toMatchObject({ amountWei: AMOUNT_WEI - 7n, attempts: { count: 2 } });
  });

  it('is done once its transfer is final', () => {
    const inclusion = inclusionOf({ hash: '0x9', movedWei: 9n });
    const tick = block(100, ended(refunding(1)), { signed: () => [transactionOf('refund', { inclusion, to })] });
    expect(settled(tick)).toEqual([['returned', undefined, [refundPaid.type]]]);
    expect(ofKind(tick, 'settleRefunds')[0]?.events).toMatchObject([
      { data: { returnId: 'r', to, withTheRest: false, returnedWei: '9', transactionHash: '0x9' } },
    ]);
    expect(tick.session.execution.refunding).toBeNull();
  });

  it.each([
    ['its recipient reverted', null, 'the recipient reverted the return'],
    ['its recipient refused', 'it refuses', 'it refuses'],
  ])('that %s three times is held', (_, refusal, reason) => {
    const tick = block(100, ended(refunding(3, refusal)), { signed: () => [reverted] });
    expect(settled(tick)).toEqual([['held', reason, [refundHeld.type]]]);
    const { totals, heldReason } = tick.session.execution;
    expect([totals.heldWei, heldReason]).toEqual([AMOUNT_WEI - 7n, reason]);
  });

  it('is retried later after a refusal', () => {
    const refusal = 'the recipient takes no HYPE: it refuses it';
    const refuses: Answers = { transferGas: () => ({ refusal: 'refuses it' }) };
    const tick = block(100, ended(), refuses);
    expect([settled(tick), ofKind(tick, 'send')]).toEqual([[], []]);
    expect(tick.session.execution.refunding).toMatchObject({ attempts: { count: 1, refusal } });
    expect(block(102, tick.session, refuses).asked).not.toContain('transferGas');
    expect(block(103, tick.session, refuses).asked).toContain('transferGas');
  });

  it.each<[string, Partial<Refund>, string]>([
    ['has no recipient', { to: null }, NO_RECIPIENT],
    ['has no recipient for a reason', { to: null, holdReason: 'contract' }, 'contract'],
  ])('that %s is held', (_, change, reason) => {
    const tick = settle({ ...due, ...change }, {});
    expect(settled(tick)).toEqual([['held', reason, [refundHeld.type]]]);
    expect(tick.session.execution.totals.heldWei).toBe(AMOUNT_WEI);
  });

  it('that cannot pay its own gas is held', () => {
    const amountWei = 1_000_000_000n;
    const small = { ...due, amountWei };
    const session = ended({ totals: { ...EMPTY_TOTALS, surplusWei: amountWei } });
    const balance = () => ({ balanceWei: amountWei, blockNumber: 100 });
    const tick = decided(session, known(small, { balance }), { head: headAt(100) });
    expect(settled(tick)).toEqual([['held', DUST, [refundHeld.type]]]);
  });

  it.each<[string, Answers, string, object]>([
    ['was returned', { signed: () => [rest] }, refundPaid.type, { withTheRest: true, to: other }],
    ['left the chain', {}, refundHeld.type, { reason: ABSENT, absent: true }],
  ])('is not paid again when its money %s', (_, more, type, data) => {
    const session = ended({ totals: EMPTY_TOTALS });
    const balance = () => ({ balanceWei: 0n, blockNumber: 100 });
    const tick = decided(session, known(due, { ...more, balance }), { head: headAt(100) });
    expect(settled(tick)).toEqual([['with_the_rest', undefined, [type]]]);
    expect(ofKind(tick, 'settleRefunds')[0]?.events).toMatchObject([{ data }]);
    expect(ofKind(tick, 'send')).toEqual([]);
  });

  it('waits while one host alone hides its money (docs/adr/0116)', () => {
    const session = ended({ totals: EMPTY_TOTALS });
    const balance = ({ expectedWei = 0n }) => ({ balanceWei: expectedWei, blockNumber: 100 });
    const tick = decided(session, known(due, { balance }), { head: headAt(100) });
    expect([settled(tick), ofKind(tick, 'send'), ofKind(tick, 'clearFact')]).toEqual([[], [], []]);
  });

  it('waits for a block that the chain lacks', () => {
    const tick = settle({ ...due, blockNumber: 101 }, {});
    expect([settled(tick), ofKind(tick, 'send')]).toEqual([[], []]);
  });
});
