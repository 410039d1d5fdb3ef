import { beginAttempts, type Execution, type Fact, NO_REFUNDS, StaleExecutionError } from '@maker/execution-records';
import { LeaseLostError } from '@maker/persistence';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import type { Decision } from '../session/decision.ts';
import { DEPOSIT_WEI, headAt, RULES, sessionOf } from '../session/session.fixture.ts';
import { NEW_MEMORY, type Session } from '../session/session.ts';
import type { Applied, Apply } from './apply.ts';
import { type RunnerEnd, SessionRunner } from './session-runner.ts';
import { LedgerBrokenError, type TickSources } from './tick-sources.ts';

const { lease } = sessionOf();
const PAUSE: Fact = { jobId: 'job', kind: 'pause', version: '1' };
const RELOAD: Fact = { jobId: 'job', kind: 'reload', version: '1' };

/** The execution's row. */
let row: Execution | undefined;
/** Number of reads of the row. */
let reads: number;
/** Results of saves, in the order of the ticks. Without one, a save succeeds. */
let outcomes: ((applied: Applied) => Applied | Promise<Applied>)[];
let saved: { session: Session; decisions: readonly Decision[] }[];
let ledgerAddsUp: () => Promise<true>;
let ends: RunnerEnd[];
let measured: unknown[];
let lines: { level: number; msg: string; [field: string]: unknown }[];
let runner: SessionRunner;

beforeEach(() => {
  row = sessionOf({ id: 'job', phase: 'trading' }).execution;
  reads = 0;
  outcomes = [];
  saved = [];
  ledgerAddsUp = async () => true;
  ends = [];
  measured = [];
  lines = [];
  const sources = {
    rules: RULES,
    feed: { now: () => headAt(100).timestampMs },
    chain: {
      network: { chainId: 31337 },
      reading: async () => ({ balanceWei: DEPOSIT_WEI, blockNumber: 100 }),
      usedNonces: async () => 0,
    },
    ledgerAddsUp: () => ledgerAddsUp(),
    database: {
      executions: {
        async find() {
          reads += 1;
          return row;
        },
      },
      transactions: { open: async () => [], highestNonce: async () => undefined },
      refunds: { sums: async () => NO_REFUNDS, ofJob: async () => [] },
    },
  };
  const apply = {
    async save(session: Session, decisions: readonly Decision[]) {
      saved.push({ session, decisions });
      const applied = { session, decisions, outgoing: [] };
      return (outcomes.shift() ?? ((same: Applied) => same))(applied);
    },
    send: async (session: Session) => session,
  };
  const parts = {
    sources: sources as unknown as TickSources,
    apply: apply as unknown as Apply,
    metrics: {
      fault: () => measured.push('fault'),
      drift: (kind: string) => measured.push(kind),
    } as unknown as MakerMetrics,
    logger: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
  };
  runner = new SessionRunner(lease, { id: 'job' }, parts, (end) => ends.push(end));
});

/** Reports a block, and waits for the end of its tick. */
async function block(number: number, ...facts: Fact[]): Promise<void> {
  runner.onHead(headAt(number), Promise.resolve(facts));
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the runner of a session (design § 5)', () => {
  it('reads rows once and resumes a saved session', async () => {
    const memory = { ...NEW_MEMORY, checkedAtBlock: 7 };
    outcomes = [(applied) => ({ ...applied, session: { ...applied.session, memory } })];
    await block(100, PAUSE);
    await block(101, PAUSE);
    expect(reads).toBe(1);
    expect(saved.map(({ session }) => session.memory)).toEqual([NEW_MEMORY, memory]);
  });

  it('reads rows again after a command, and keeps its memory', async () => {
    const memory = { ...NEW_MEMORY, checkedAtBlock: 7 };
    outcomes = [(applied) => ({ ...applied, session: { ...applied.session, memory } })];
    await block(100, PAUSE);
    row = sessionOf({ id: 'job', phase: 'trading', ordersSigned: 5 }).execution;
    await block(101, PAUSE, RELOAD);
    expect(reads).toBe(2);
    expect(saved[1]?.session).toMatchObject({ execution: { ordersSigned: 5 }, memory });
  });

  it('compares balances again once its row was changed', async () => {
    const doubted = { sinceBlock: 100, lastBlock: 100 };
    const memory = { ...NEW_MEMORY, isInTime: true, checkedAtBlock: 7, doubted };
    const before = sessionOf({ id: 'job', phase: 'trading' }).execution;
    outcomes = [
      (applied) => ({ ...applied, session: { ...applied.session, memory } }),
      () => Promise.reject(new Error('the answer is lost')),
      () => Promise.reject(new Error('the answer is lost')),
    ];
    await block(100, PAUSE);
    await block(101, PAUSE);
    await block(102, PAUSE);
    row = { ...before, revision: before.revision + 1 };
    await block(103, PAUSE);
    expect(saved[2]?.session.memory).toEqual(memory);
    expect(saved[3]?.session.memory).toEqual({ ...NEW_MEMORY, isInTime: true });
  });

  it('decides again when a command changed the row meanwhile', async () => {
    const stale = () => Promise.reject(new StaleExecutionError('job'));
    outcomes = [stale];
    await block(100, PAUSE);
    expect([reads, saved.length]).toEqual([2, 2]);
    expect([measured, lines, ends]).toEqual([[], [], []]);
  });

  it('ends when the lease is lost', async () => {
    outcomes = [() => Promise.reject(new LeaseLostError(lease.name))];
    await block(100, PAUSE);
    await block(101, PAUSE);
    expect(ends).toEqual(['lease_lost']);
    expect(saved).toHaveLength(1);
  });

  it('ends without work', async () => {
    row = sessionOf({ id: 'job', phase: 'completed' }).execution;
    await block(100);
    expect(ends).toEqual(['ended']);
  });

  it('ends when the execution is gone', async () => {
    row = undefined;
    await block(100);
    expect([ends, saved]).toEqual([['ended'], []]);
  });

  it('ticks once for blocks that come during a tick', async () => {
    let finish: () => void = () => undefined;
    outcomes = [(applied) => new Promise((resolve) => (finish = () => resolve(applied)))];
    await block(100, PAUSE);
    await block(101, PAUSE);
    await block(102, PAUSE);
    expect(saved).toHaveLength(1);
    finish();
    await block(103, PAUSE);
    expect(saved).toHaveLength(2);
  });

  it('logs a fault once, and that ticks succeed again', async () => {
    const fails = () => Promise.reject(new Error('the database does not answer'));
    outcomes = [fails, fails];
    for (const number of [100, 101, 102]) await block(number, PAUSE);
    expect(measured).toEqual(['fault', 'fault']);
    expect(lines).toMatchObject([
      { level: 50, jobId: 'job', failures: 1, msg: 'execution tick failed, retrying at the next block' },
      { level: 30, jobId: 'job', failures: 2, msg: 'execution ticks succeed again' },
    ]);
    expect(reads).toBe(3);
  });

  it('does not end a job with a wrong ledger', async () => {
    const attempts = beginAttempts(0);
    row = sessionOf({ id: 'job', phase: 'return', attempts }).execution;
    ledgerAddsUp = () => Promise.reject(new LedgerBrokenError('job', 'fee'));
    await block(100);
    expect(measured).toEqual(['fault', 'broken']);
    expect(saved[0]?.decisions.map(({ kind }) => kind)).not.toContain('end');
    expect(ends).toEqual([]);
    ledgerAddsUp = async () => true;
    await block(101);
    expect(saved[1]?.decisions.map(({ kind }) => kind)).toContain('end');
  });
});
