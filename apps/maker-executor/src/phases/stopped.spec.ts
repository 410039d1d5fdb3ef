import {
  EMPTY_TOTALS,
  type Execution,
  type Fact,
  type FactKind,
  type FinalTransaction,
} from '@maker/execution-records';
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
import { NEW_MEMORY, type Session } from '../session/session.ts';
import { bookTransactions } from '../tracking/book-transactions.ts';

const BOOK_WEI = 10n ** 17n;
const MISSING_WEI = 10n ** 15n;
const fact = (kind: FactKind): Fact => ({ jobId: 'job', kind, version: '1' });

/** Returns a session whose wallet holds less on the chain than by the ledger. */
function stopped(change: Partial<Execution> = {}, more: Partial<Session> = {}): Session {
  const totals = { ...EMPTY_TOTALS, depositWei: BOOK_WEI };
  return sessionOf({ id: 'job', phase: 'trading', totals, driftWei: -MISSING_WEI, ...change }, more);
}

function block(session: Session, number: number, more: Answers = {}): Decided {
  const answers: Answers = {
    ...NOTHING_YET,
    balance: () => ({ balanceWei: BOOK_WEI - MISSING_WEI, blockNumber: number }),
    ...more,
  };
  return decided(session, answers, { head: headAt(number) });
}

const kinds = ({ decisions }: Decided) => decisions.map(({ kind }) => kind);

describe('a stopped wallet (design § 5)', () => {
  it('pauses its job, and signs nothing', () => {
    const tick = block(stopped(), 100);
    expect(ofKind(tick, 'pause')).toMatchObject([{ pause: 'ledger_drift' }]);
    expect(kinds(tick)).not.toContain('send');
    expect(kinds(tick).at(-1)).toBe('wait');
    expect(tick.session.memory.stoppedSinceBlock).toBe(100);
    expect(kinds(block(tick.session, 101))).not.toContain('pause');
  });

  it('continues once ledger and chain agree', () => {
    const { session } = block(stopped(), 100);
    const agrees: Answers = {
      balance: () => ({ balanceWei: BOOK_WEI, blockNumber: 105 }),
      market: () => ({ deepPools: [], offers: [], walletTokens: 0n, quotedAtBlock: 105, isConfirmed: true }),
    };
    const { execution, memory } = block(session, 105, agrees).session;
    expect(execution.driftWei).toBe(0n);
    expect(execution.paused?.reason).toBe('thin_liquidity');
    expect(memory.stoppedSinceBlock).toBeNull();
  });

  it.each<[string, Partial<Execution>, readonly Fact[]]>([
    ['is cancelled', {}, [fact('cancel')]],
    ['was cancelled', { cancelled: true }, []],
  ])('ends in its present state when its job %s', (_, change, facts) => {
    const tick = block(stopped(change, { facts }), 100);
    expect(ofKind(tick, 'end')).toHaveLength(1);
    expect(tick.session.execution).toMatchObject({
      phase: 'failed',
      ending: { kind: 'cancelled' },
      heldReason: 'the chain shows 0.001 HYPE less than the ledger',
      driftWei: 0n,
      paused: null,
      totals: { missingWei: MISSING_WEI, heldWei: BOOK_WEI - MISSING_WEI },
    });
    expect(ofKind(tick, 'end')[0]?.newFacts).toEqual([]);
  });

  it('ends exactly at the latest end', () => {
    const { execution } = stopped();
    const plan = { ...execution.plan, latestEndAt: new Date(headAt(200).timestampMs) };
    expect(kinds(block(stopped({ plan }), 199))).not.toContain('end');
    const tick = block(stopped({ plan }), 200);
    expect(ofKind(tick, 'end')).toHaveLength(1);
    expect(tick.session.execution).toMatchObject({
      phase: 'failed',
      ending: { kind: 'technical', message: 'no order could be placed until the published end' },
    });
  });

  it('counts ticks before the latest end', () => {
    const { execution } = stopped();
    const plan = { ...execution.plan, latestEndAt: new Date(headAt(200).timestampMs) };
    expect(block(stopped({ plan }), 199).session.memory.isInTime).toBe(true);
    expect(block(stopped({ plan }), 200).session.memory.isInTime).toBe(false);
  });

  it('holds everything if no money is missing', () => {
    // Another process used nonces: no money is missing.
    const shows: Answers = {
      balance: () => ({ balanceWei: BOOK_WEI, blockNumber: 100 }),
      usedNonces: () => 3,
    };
    const tick = block(stopped({ cancelled: true, driftWei: -2n }, { highestNonce: 0 }), 100, shows);
    expect(tick.session.execution).toMatchObject({
      phase: 'failed',
      heldReason: 'ledger and chain did not agree when the job was cancelled',
      totals: { missingWei: 0n, heldWei: BOOK_WEI },
    });
  });

  it('waits for a lagging endpoint before it ends', () => {
    const tick = block(stopped({ cancelled: true }), 100, { balance: () => undefined });
    expect(kinds(tick)).not.toContain('end');
    expect(tick.session.execution).toMatchObject({ phase: 'trading', driftWei: -MISSING_WEI });
  });

  it('stays stopped after the job has ended', () => {
    const tick = block(stopped({ phase: 'failed' }, { facts: [fact('settle')] }), 100);
    expect(ofKind(tick, 'wait')).toMatchObject([{ reason: 'ledger and chain differ' }]);
  });
});

describe('a reorganisation of final transactions (docs/adr/0019)', () => {
  const inclusion = inclusionOf({ receivedTokens: 5n });
  const order = transactionOf('order', { id: 'job/order/1', state: 'final', inclusion });
  const lost: FinalTransaction = { transaction: order, inclusion };
  const recheck = fact('recheck');
  const before = stopped({ driftWei: 0n }).execution;
  const booked = bookTransactions(before, [lost], new Date(0)).change;
  const session = stopped({ ...booked, driftWei: 0n }, { facts: [recheck], highestNonce: 0 });
  const found = { lostTransactions: () => ({ lost: [lost], standing: undefined }) };

  it('opens them again and reverses their bookings', () => {
    const tick = block(session, 100, found);
    expect(ofKind(tick, 'reopen')).toMatchObject([{ lost: [{ transaction: { id: 'job/order/1' } }] }]);
    expect(tick.session.execution).toMatchObject({
      totals: { orderWei: 0n, order_gasWei: 0n, boughtWei: 0n },
      ordersPlaced: 0,
    });
    expect(tick.session.open).toMatchObject([{ id: 'job/order/1', state: 'broadcast', inclusion: null, reversals: 1 }]);
    expect(ofKind(tick, 'pause')).toMatchObject([{ pause: 'ledger_drift' }]);
    expect(tick.session.facts).toEqual([recheck]);
    expect(kinds(tick)).not.toContain('send');
  });

  it('stops the wallet while the chain is too low', () => {
    const tick = block(session, 100, { lostTransactions: () => undefined });
    expect(kinds(tick)).not.toContain('reopen');
    expect(ofKind(tick, 'pause')).toMatchObject([{ pause: 'ledger_drift' }]);
    expect(tick.session.facts).toEqual([recheck]);
  });

  it('is over when a job ends without open transactions', () => {
    const cancelled = { ...session, execution: { ...session.execution, cancelled: true } };
    const tick = block(cancelled, 100, { lostTransactions: () => undefined });
    expect(ofKind(tick, 'end')).toMatchObject([{ newFacts: [] }]);
    expect(tick.session.facts).toEqual([]);
    expect(tick.session.execution).toMatchObject({ phase: 'failed', driftWei: 0n, paused: null });
  });

  it('is over once all stand and ledger and chain agree', () => {
    const tick = block(session, 100, {
      lostTransactions: () => ({ lost: [], standing: undefined }),
      balance: () => ({ balanceWei: BOOK_WEI - 13n, blockNumber: 100 }),
      usedNonces: () => 1,
      market: () => ({ deepPools: [], offers: [], walletTokens: 5n, quotedAtBlock: 100, isConfirmed: true }),
    });
    expect(tick.session.facts).toEqual([]);
    expect(tick.session.execution.driftWei).toBe(0n);
  });

  it('waits thirty blocks for them before a job ends', () => {
    const reopened = { ...session, execution: { ...session.execution, cancelled: true } };
    const first = block(reopened, 100, found);
    const none: Answers = { lostTransactions: () => ({ lost: [], standing: undefined }) };
    expect(kinds(first)).not.toContain('end');
    expect(kinds(block(first.session, 129, none))).not.toContain('end');
    const end = block(first.session, 130, none);
    const [{ newFacts } = { newFacts: undefined }] = ofKind(end, 'end');
    expect(newFacts).toEqual(['settle', 'recheck']);
    expect(end.session.facts).toEqual([recheck]);
    expect(end.session.execution.phase).toBe('failed');
    const next = block({ ...first.session, memory: NEW_MEMORY }, 130, none);
    expect(kinds(next)).not.toContain('end');
  });

  it('keeps an ended job waiting for signed transactions', () => {
    const ended = stopped({ phase: 'failed', driftWei: 0n }, { facts: [recheck], open: [transactionOf('order')] });
    const tick = block(ended, 100, { lostTransactions: () => ({ lost: [], standing: undefined }) });
    expect(ofKind(tick, 'wait')).toMatchObject([{ reason: 'signed transactions wait for missing money' }]);
    expect(kinds(tick)).not.toContain('pause');
  });
});
