import {
  ALL_JOBS,
  beginAttempts,
  EMPTY_TOTALS,
  type Execution,
  expectedBalance,
  type Fact,
  type FactKind,
  TOO_LATE,
} from '@maker/execution-records';
import { GAS_GUARDRAIL_WEI } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  DEPOSIT_WEI,
  type Decided,
  decided,
  headAt,
  NOTHING_YET,
  ofKind,
  RULES,
  sessionOf,
  transactionOf,
} from '../session/session.fixture.ts';
import { NEW_MEMORY, type Session } from '../session/session.ts';
import { View } from '../session/view.ts';
import { decide } from './decide.ts';

const GRACE_MS = 1_800_000;
const fact = (kind: FactKind, jobId = 'job'): Fact => ({ jobId, kind, version: '1' });

/** Returns a session at the return of the rest, which needs one transaction. */
function returning(change: Partial<Execution> = {}, more: Partial<Session> = {}): Session {
  const totals = { ...EMPTY_TOTALS, depositWei: DEPOSIT_WEI };
  return sessionOf({ id: 'job', phase: 'return', totals, ...change }, more);
}

const answers: Answers = {
  ...NOTHING_YET,
  balance: () => ({ balanceWei: DEPOSIT_WEI, blockNumber: 100 }),
  walletTokens: () => 0n,
};

const at = (block: number, more: Parameters<typeof headAt>[1] = {}) => ({ head: headAt(block, more) });
const sends = (tick: Decided) => ofKind(tick, 'send').length;

describe('decide (design § 5)', () => {
  it('reads one source after another, then decides', () => {
    const session = returning();
    let view = new View(headAt(100), headAt(100).timestampMs);
    const asked: string[] = [];
    for (
      let last = decide(session, view, RULES).at(-1);
      last?.kind === 'ask';
      last = decide(session, view, RULES).at(-1)
    ) {
      const { question } = last;
      asked.push(question.kind);
      view = view.answered(question, answers[question.kind]?.(question as never));
    }
    expect(asked).toEqual(decided(session, answers, at(100)).asked);
    expect(new Set(asked).size).toBe(asked.length);
    expect(decide(session, view, RULES)).toEqual(decide(session, view, RULES));
  });

  it('keeps earlier decisions after an unanswerable question', () => {
    const totals = { ...EMPTY_TOTALS, surplusWei: DEPOSIT_WEI };
    const session = returning({ totals });
    const head = headAt(100);
    const expectedWei = expectedBalance(session.execution.totals);
    const balance = { balanceWei: DEPOSIT_WEI + 1n, blockNumber: 100 };
    const view = new View(head, head.timestampMs)
      .answered({ kind: 'balance', expectedWei }, balance)
      .answered({ kind: 'balance', expectedWei: expectedWei + 1n }, balance)
      .failed({ kind: 'refunds', state: 'due', most: 50 });
    const decisions = decide(session, view, RULES);
    expect(decisions.at(-1)).toMatchObject({ kind: 'wait', reason: "'refunds' could not be read" });
    expect(decisions.flatMap(({ entries = [] }) => entries)).toMatchObject([{ kind: 'surplus', amountWei: 1n }]);
  });

  it('throws when the database contradicts itself', () => {
    const refunding = { id: 'r', to: '0x1', amountWei: 1n, attempts: beginAttempts(0) } as const;
    const gone: Answers = { ...answers, refund: () => undefined };
    expect(() => decided(returning({ refunding }), gone, at(100))).toThrow('The refund r is being sent and is not due');
  });

  it('runs phases until one waits', () => {
    const tick = decided(returning({ phase: 'delivery' }), answers, at(100));
    expect(tick.session.execution.phase).toBe('return');
    expect(sends(tick)).toBe(1);
  });
});

describe('gas above the guardrail (specification § 9)', () => {
  const expensive = at(100, { baseFeeWei: GAS_GUARDRAIL_WEI, tipWei: 1n });

  it('pauses a job and resumes it later', () => {
    const tick = decided(returning(), answers, expensive);
    const since = new Date(headAt(100).timestampMs);
    expect([sends(tick), tick.session.execution.paused]).toEqual([0, { reason: 'gas_guardrail', since }]);
    const after = decided(tick.session, answers, at(101));
    expect([sends(after), after.session.execution.paused]).toEqual([1, null]);
  });

  it('pauses nothing at exactly the guardrail', () => {
    const tick = decided(returning(), answers, at(100, { baseFeeWei: GAS_GUARDRAIL_WEI }));
    expect([sends(tick), tick.session.execution.paused]).toEqual([1, null]);
  });

  it('makes an ended job wait without a pause', () => {
    const tick = decided(returning({ phase: 'completed' }, { facts: [fact('settle')] }), answers, expensive);
    expect([sends(tick), tick.session.execution.paused]).toEqual([0, null]);
    expect(tick.session.facts).toHaveLength(1);
  });
});

describe('an operator’s pause (design § 5)', () => {
  it.each(['job', ALL_JOBS])('of %s stops new transactions, and stays', (jobId) => {
    const session = returning({}, { facts: [fact('pause', jobId)] });
    const tick = decided(session, answers, at(100));
    expect([sends(tick), tick.session.execution.paused]).toEqual([0, null]);
    expect(tick.session.facts).toEqual(session.facts);
  });

  it('does not move the published end of trading', () => {
    const { plan } = returning().execution;
    const over = { ...plan, tradingEndsAt: new Date(headAt(100).timestampMs) };
    const session = returning({ phase: 'trading', plan: over }, { facts: [fact('pause')] });
    const { execution } = decided(session, answers, at(100)).session;
    expect(execution).toMatchObject({ phase: 'delivery', ending: { kind: 'technical' } });
  });

  it('lets open transactions be sent again', () => {
    const open = [transactionOf('return')];
    const tick = decided(returning({}, { open, facts: [fact('pause')] }), answers, at(100));
    expect(ofKind(tick, 'resend')).toHaveLength(1);
  });
});

describe('a wallet in doubt (design § 5)', () => {
  it('signs nothing before a comparison', () => {
    const memory = { ...NEW_MEMORY, checkedAtMs: headAt(100).timestampMs, doubted: { sinceBlock: 99, lastBlock: 99 } };
    const tick = decided(returning({}, { memory }), answers, at(100));
    expect([sends(tick), ofKind(tick, 'wait')]).toMatchObject([
      0,
      [{ reason: 'ledger and chain are not known to agree' }],
    ]);
  });
});

describe('facts (design § 5)', () => {
  it('cancel an active job, once', () => {
    const tick = decided(returning({}, { facts: [fact('cancel')] }), answers, at(100));
    expect([tick.session.execution.cancelled, tick.session.facts]).toEqual([true, []]);
  });

  it('cancel no ended job', () => {
    const tick = decided(returning({ phase: 'completed' }, { facts: [fact('cancel')] }), answers, at(100));
    expect([tick.session.execution.cancelled, tick.session.facts]).toEqual([false, []]);
  });

  it('clear a reload', () => {
    expect(decided(returning({}, { facts: [fact('reload')] }), answers, at(100)).session.facts).toEqual([]);
  });
});

describe('the latest end (design § 4 End)', () => {
  const { plan } = returning().execution;
  const END = 200;
  const ending = { plan: { ...plan, latestEndAt: new Date(headAt(END).timestampMs) } };
  /** Gas above the guardrail, for which the job waits until its end. */
  const waits = (block: number, session: Session) =>
    decided(session, answers, at(block, { baseFeeWei: GAS_GUARDRAIL_WEI + 1n }));
  const endsOf = (tick: Decided) => ofKind(tick, 'end').length;

  it('ends a job that waits, and holds the rest', () => {
    const before = waits(END - 1, returning(ending));
    expect(endsOf(before)).toBe(0);
    const tick = waits(END, before.session);
    expect(endsOf(tick)).toBe(1);
    expect(tick.session.execution).toMatchObject({
      heldReason: TOO_LATE,
      paused: null,
      totals: { heldWei: DEPOSIT_WEI },
      graceEndsAtMs: null,
    });
  });

  it('holds only what open transactions leave', () => {
    const attempts = [
      { hash: '0x1', rawTransaction: '0x02', valueWei: 7n, maxFeePerGasWei: 1n, maxPriorityFeePerGasWei: 0n } as const,
    ];
    const open = [transactionOf('return', { attempts })];
    const before = waits(END - 1, returning(ending, { open }));
    const tick = waits(END, before.session);
    expect(tick.session.execution.totals.heldWei).toBe(DEPOSIT_WEI - 7n - 21_000n);
    expect(ofKind(tick, 'end')).toMatchObject([{ newFacts: ['settle'] }]);
  });

  it('holds nothing of an empty wallet', () => {
    const totals = EMPTY_TOTALS;
    const empty: Answers = { ...answers, balance: () => ({ balanceWei: 0n, blockNumber: 0 }) };
    const expensive = { baseFeeWei: GAS_GUARDRAIL_WEI + 1n };
    const { session } = decided(returning({ ...ending, totals }), empty, at(END - 1, expensive));
    expect(decided(session, empty, at(END, expensive)).session.execution.heldReason).toBeNull();
  });

  it('gives half an hour after a late first tick', () => {
    const first = waits(END + 5, returning(ending));
    const graceEndsAtMs = headAt(END + 5).timestampMs + GRACE_MS;
    expect([endsOf(first), first.session.execution.graceEndsAtMs]).toEqual([0, graceEndsAtMs]);
    const last = END + 5 + GRACE_MS / 1000;
    expect(endsOf(waits(last - 1, first.session))).toBe(0);
    expect(endsOf(waits(last, first.session))).toBe(1);
  });

  it('gives the next owner no second half hour', () => {
    const { session } = waits(END + 5, returning(ending));
    const handedOver = { ...session, memory: NEW_MEMORY };
    expect(endsOf(waits(END + 4 + GRACE_MS / 1000, handedOver))).toBe(0);
    expect(endsOf(waits(END + 5 + GRACE_MS / 1000, handedOver))).toBe(1);
  });

  it('ends no release by an operator', () => {
    const session = returning({ ...ending, releasedAt: new Date(0) });
    const tick = waits(END + 100_000, session);
    expect([endsOf(tick), tick.session.execution.graceEndsAtMs]).toEqual([0, null]);
  });
});
