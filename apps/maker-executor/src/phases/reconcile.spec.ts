import {
  addEntries,
  EMPTY_TOTALS,
  type Execution,
  type LedgerEntry,
  type TransactionRecord,
} from '@maker/execution-records';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Reports, reportTick } from '../runner/report-tick.ts';
import {
  decided,
  headAt,
  inclusionOf,
  NOTHING_YET,
  RULES,
  sessionOf,
  ticked,
  transactionOf,
} from '../session/session.fixture.ts';
import { NEW_MEMORY, type Session } from '../session/session.ts';
import { Tick } from '../session/tick.ts';
import { writesOf } from '../session/tick-writes.ts';
import { View } from '../session/view.ts';
import { check, checkWhenDue, isCheckDue, isInDoubt } from './reconcile.ts';

const CHECK_SECONDS = 60;
const DEPOSIT = 250n;

/** A wallet whose balances are read a block too late, because ticks take longer than blocks. */
const wallet = { nowMs: 1_000_000, block: 100, balanceWei: DEPOSIT, lateBlocks: 1 };
const idle: readonly TransactionRecord[] = [];
const inFlight = [transactionOf('order')];

let session: Session;
/** Number of balance reads. */
let readings: number;
let answers: boolean;
let usedNonces: number;
let drifts: string[];
let lines: { level: number; msg: string; [field: string]: unknown }[];
let changes: object[];
let appended: LedgerEntry[];

beforeEach(() => {
  Object.assign(wallet, { nowMs: 1_000_000, block: 100, balanceWei: DEPOSIT, lateBlocks: 1 });
  const totals = { ...EMPTY_TOTALS, depositWei: DEPOSIT };
  session = sessionOf({ id: 'job', phase: 'trading', walletAddress: '0x1', totals }, { highestNonce: 0 });
  readings = 0;
  answers = true;
  usedNonces = 1;
  drifts = [];
  lines = [];
  changes = [];
  appended = [];
});

const readAnswers = {
  balance: () => {
    readings += 1;
    return answers ? { balanceWei: wallet.balanceWei, blockNumber: wallet.block + wallet.lateBlocks } : undefined;
  },
  usedNonces: () => usedNonces,
};

/** Runs a tick, one block and one second after the last. Only the memory passes to the next tick. */
async function runTick(open: readonly TransactionRecord[], change: Partial<Execution> = {}): Promise<Session> {
  wallet.nowMs += 1000;
  wallet.block += 1;
  const before = { ...session, open, execution: { ...session.execution, ...change } };
  const when = { head: headAt(wallet.block), nowMs: wallet.nowMs };
  const done = ticked(before, readAnswers, when, (tick) => {
    if (open.length > 0 && isCheckDue(tick)) tick.ask('balance', {});
    checkWhenDue(tick);
  });
  const writes = writesOf(before.execution, done.decisions, new Date(when.head.timestampMs));
  if (Object.keys(writes.change).length > 0) changes.push(writes.change);
  appended.push(...writes.entries);
  session = { ...session, memory: done.session.memory };
  await reportTick(before, done.session, done.decisions, {
    metrics: { drift: (kind: string) => drifts.push(kind) },
    logger: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
  } as unknown as Reports);
  return done.session;
}

async function runTicks(seconds: number, open: readonly TransactionRecord[] = inFlight): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await runTick(open);
}

/** Another process takes the wallet over. */
function handOver(): void {
  session = { ...session, memory: NEW_MEMORY };
}

function inDoubt(of: Session = session): boolean {
  return isInDoubt(new Tick(of, new View(headAt(wallet.block), wallet.nowMs), RULES));
}

describe('a wallet with open transactions and late balances (design § 5)', () => {
  it('continues at first', async () => {
    await runTicks(4 * CHECK_SECONDS);
    expect(inDoubt()).toBe(false);
  });

  it('sends nothing new after five missed checks', async () => {
    await runTicks(6 * CHECK_SECONDS);
    expect(inDoubt()).toBe(true);
    const compared = await runTick(idle);
    expect(compared.execution.driftWei).toBe(0n);
    expect(inDoubt()).toBe(false);
  });

  it('is stopped when money is missing', async () => {
    await runTicks(6 * CHECK_SECONDS);
    wallet.balanceWei = DEPOSIT - 7n;
    expect((await runTick(idle)).execution.driftWei).toBe(-7n);
  });

  it('continues once a balance arrives in time', async () => {
    await runTicks(6 * CHECK_SECONDS);
    wallet.lateBlocks = 0;
    await runTick(inFlight);
    expect(inDoubt()).toBe(false);
    wallet.lateBlocks = 1;
    await runTicks(4 * CHECK_SECONDS);
    expect(inDoubt()).toBe(false);
  });

  it('is in doubt from the exact moment', async () => {
    await runTick(inFlight);
    wallet.nowMs += 5 * CHECK_SECONDS * 1000 - 1;
    expect(inDoubt()).toBe(false);
    wallet.nowMs += 1;
    expect(inDoubt()).toBe(true);
    expect(inDoubt(sessionOf({ id: 'another job' }))).toBe(false);
  });
});

/** Runs ticks until the next balance read. @param most number of ticks @returns the number of ticks, infinite without a read */
async function ticksUntilAsked(most: number, open: readonly TransactionRecord[], change = {}): Promise<number> {
  const before = readings;
  for (let count = 1; count <= most; count += 1) {
    await runTick(open, change);
    if (readings > before) return count;
  }
  return Number.POSITIVE_INFINITY;
}

describe('comparisons of a wallet (design § 5)', () => {
  beforeEach(() => {
    wallet.lateBlocks = 0;
  });

  it.each([
    ['without open transactions', idle],
    ['with open transactions', inFlight],
  ])('come at the configured interval %s', async (_, open) => {
    expect(await ticksUntilAsked(1, open)).toBe(1);
    expect(await ticksUntilAsked(200, open)).toBe(CHECK_SECONDS);
    expect(await ticksUntilAsked(200, open)).toBe(CHECK_SECONDS);
    expect(changes).toEqual([]);
  });

  it('come every five blocks during a drift', async () => {
    const drifting = { driftWei: -7n };
    wallet.balanceWei = DEPOSIT - 7n;
    for (const open of [idle, inFlight]) {
      handOver();
      expect(await ticksUntilAsked(1, open, drifting)).toBe(1);
      expect(await ticksUntilAsked(20, open, drifting)).toBe(5);
      expect(await ticksUntilAsked(20, open, drifting)).toBe(5);
    }
  });

  it('repeat at the next block without an answer', async () => {
    answers = false;
    expect((await runTick(idle)).execution).toEqual(session.execution);
    expect(await ticksUntilAsked(1, idle)).toBe(1);
  });

  it('start after the fee, unless there is a drift', async () => {
    expect(await ticksUntilAsked(100, idle, { phase: 'fee' })).toBe(Number.POSITIVE_INFINITY);
    expect(await ticksUntilAsked(1, idle, { phase: 'fee', driftWei: -7n })).toBe(1);
  });

  it('happen once a tick, first of all reads', () => {
    const paused = { ...session, facts: [{ jobId: 'job', kind: 'pause' as const, version: '1' }] };
    const when = { head: headAt(101), nowMs: wallet.nowMs };
    const asked = (open: readonly TransactionRecord[]) =>
      decided({ ...paused, open }, { ...NOTHING_YET, ...readAnswers }, when).asked;
    expect(asked(idle)).toEqual(['balance', 'usedNonces']);
    const amid = asked(inFlight);
    expect(amid.filter((kind) => kind === 'balance')).toHaveLength(1);
    expect(amid.slice(0, 2)).toEqual(['balance', 'inclusions']);
  });

  it('need a balance that could be read', async () => {
    answers = false;
    expect((await runTick(inFlight)).execution).toEqual(session.execution);
    expect([changes, drifts]).toEqual([[], []]);
    expect(inDoubt()).toBe(false);
  });

  it('start again under the next owner', async () => {
    await runTick(idle);
    handOver();
    expect(await ticksUntilAsked(1, idle)).toBe(1);
    wallet.balanceWei = DEPOSIT - 7n;
    handOver();
    await runTick(inFlight);
    expect(inDoubt()).toBe(true);
    handOver();
    expect(inDoubt()).toBe(false);
    wallet.lateBlocks = 1;
    await runTicks(6 * CHECK_SECONDS);
    expect(inDoubt()).toBe(true);
    handOver();
    expect(inDoubt()).toBe(false);
  });
});

describe('without open transactions (design § 5)', () => {
  it('missing money stops the wallet and is logged', async () => {
    wallet.balanceWei = DEPOSIT - 7n;
    expect((await runTick(idle)).execution.driftWei).toBe(-7n);
    expect(drifts).toEqual(['missing']);
    expect(lines).toMatchObject([
      {
        level: 50,
        msg: 'chain shows less than the ledger, wallet stopped',
        jobId: 'job',
        walletAddress: '0x1',
        driftWei: '-7',
      },
    ]);
  });

  it('continues when the wallet agrees again', async () => {
    expect((await runTick(idle, { driftWei: -7n })).execution.driftWei).toBe(0n);
    expect(lines).toMatchObject([
      { level: 30, msg: 'ledger and chain agree again, wallet released', jobId: 'job', driftWei: '0' },
    ]);
    expect(changes).toEqual([{ driftWei: 0n }]);
  });

  it('an unchanged drift is written once', async () => {
    wallet.balanceWei = DEPOSIT - 7n;
    await runTick(idle, { driftWei: -7n });
    expect(readings).toBe(1);
    expect([changes, lines]).toEqual([[], []]);
  });

  it('foreign transactions stop the wallet without missing money', async () => {
    usedNonces = 3;
    expect((await runTick(idle)).execution.driftWei).toBe(-2n);
    session = { ...session, highestNonce: undefined };
    handOver();
    expect((await runTick(idle)).execution.driftWei).toBe(0n);
  });

  it('an endpoint behind our transactions is ignored', async () => {
    usedNonces = 0;
    wallet.balanceWei = 1n;
    expect((await runTick(idle)).execution.driftWei).toBe(0n);
    expect([changes, drifts]).toEqual([[], []]);
  });

  it('a check returns whether it compared', () => {
    const results: boolean[] = [];
    const once = () => ticked(session, readAnswers, { head: headAt(101) }, (tick) => results.push(check(tick)));
    once();
    usedNonces = 0;
    once();
    usedNonces = 1;
    answers = false;
    once();
    expect(results).toEqual([true, false, false]);
  });

  it('a surplus is booked under the revision read', async () => {
    wallet.balanceWei = DEPOSIT + 9n;
    wallet.lateBlocks = 2;
    const after = await runTick(idle, { revision: 4 });
    const entry = {
      id: 'job/4/surplus',
      jobId: 'job',
      kind: 'surplus',
      asset: 'hype',
      from: 'payer',
      to: 'wallet',
      amountWei: 9n,
      transactionHash: null,
      blockNumber: 103,
      recordedAt: new Date(wallet.nowMs),
    };
    expect(appended).toEqual([entry]);
    const totals = addEntries(session.execution.totals, appended);
    expect(changes).toEqual([{ totals, driftWei: 0n, surplusAtBlock: 103 }]);
    expect(after.execution.totals.surplusWei).toBe(9n);
    expect(drifts).toEqual(['surplus']);
    expect(lines).toMatchObject([{ jobId: 'job', surplusWei: '9', msg: 'unexpected money booked' }]);
  });
});

describe('with open transactions (design § 5)', () => {
  const inclusion = inclusionOf({ movedWei: 10n, gasWei: 3n });
  const mined = [transactionOf('order', { state: 'mined', inclusion }), transactionOf('order', { id: 'job/order/2' })];

  beforeEach(() => {
    wallet.lateBlocks = 0;
  });

  it('a mined one counts with its amount and gas', async () => {
    wallet.balanceWei = DEPOSIT - 13n;
    await runTick(mined);
    expect(inDoubt()).toBe(false);
    wallet.balanceWei = DEPOSIT - 14n;
    handOver();
    await runTick(mined);
    expect(inDoubt()).toBe(true);
  });

  it('a difference stops new ones until it is gone', async () => {
    wallet.balanceWei = DEPOSIT - 7n;
    await runTick(inFlight);
    expect(inDoubt()).toBe(true);
    wallet.balanceWei = DEPOSIT;
    await runTick(inFlight);
    expect(inDoubt()).toBe(false);
  });

  it('money missing for ten blocks stops the wallet', async () => {
    wallet.balanceWei = DEPOSIT - 7n;
    for (let block = 0; block < 10; block += 1) expect((await runTick(inFlight)).execution.driftWei).toBe(0n);
    expect(drifts).toEqual([]);
    expect((await runTick(inFlight)).execution.driftWei).toBe(-7n);
    expect(drifts).toEqual(['missing']);
  });

  it('two differences under two owners stop nothing', async () => {
    wallet.balanceWei = DEPOSIT - 7n;
    wallet.block = 99;
    expect((await runTick(inFlight)).execution.driftWei).toBe(0n);
    handOver();
    wallet.block = 5099;
    expect((await runTick(inFlight)).execution.driftWei).toBe(0n);
    expect(inDoubt()).toBe(true);
    expect(drifts).toEqual([]);
    // The ten blocks start again with this owner.
    for (let block = 0; block < 9; block += 1) expect((await runTick(inFlight)).execution.driftWei).toBe(0n);
    expect((await runTick(inFlight)).execution.driftWei).toBe(-7n);
  });

  it('a surplus stops nothing and is not booked yet', async () => {
    wallet.balanceWei = DEPOSIT + 7n;
    for (let block = 0; block < 20; block += 1) {
      expect((await runTick(inFlight)).execution.driftWei).toBe(0n);
      expect(inDoubt()).toBe(false);
    }
    expect([changes, appended, drifts]).toEqual([[], [], []]);
  });

  it('a surplus is compared once a minute', async () => {
    wallet.balanceWei = DEPOSIT + 7n;
    for (let block = 0; block < 60; block += 1) await runTick(inFlight);
    expect(readings).toBe(1);
  });
});
