import type { Clock } from '@maker/service-kit';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChainAccess } from '../chain/chain-access.ts';
import type { MakerConfiguration } from '../configuration.ts';
import type { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import type { LedgerRepository } from '../ledger/ledger.repository.ts';
import { addEntries, EMPTY_TOTALS, LEDGER_KINDS, type LedgerEntry, type LedgerTotals } from '../ledger/ledger-entry.ts';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import type { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { LedgerCheck } from './ledger-check.ts';

const CHECK_SECONDS = 60;
const DEPOSIT = 250n;

/** A wallet of which each balance is read a block too late, since looks take longer than blocks. */
const wallet = { nowMs: 1_000_000, block: 100, balanceWei: DEPOSIT, lateBlocks: 1 };
const execution = {
  id: 'job',
  phase: 'trading',
  driftWei: 0n,
  walletAddress: '0x1',
  totals: { ...EMPTY_TOTALS, depositWei: DEPOSIT },
} as unknown as LeasedExecution['execution'];
const inFlight = [{ inclusion: null }] as unknown as LeasedExecution['open'];

let check: LedgerCheck;
/** How often the chain was asked for a balance. */
let readings: number;
let answers: boolean;
let usedNonces: number;
let highestNonce: number | undefined;
let sums: LedgerTotals;
let drifts: string[];
let lines: { level: number; msg: string; [field: string]: unknown }[];
let changes: object[];
let appended: LedgerEntry[];

beforeEach(() => {
  Object.assign(wallet, { nowMs: 1_000_000, block: 100, balanceWei: DEPOSIT, lateBlocks: 1 });
  readings = 0;
  answers = true;
  usedNonces = 1;
  highestNonce = 0;
  sums = execution.totals;
  drifts = [];
  lines = [];
  changes = [];
  appended = [];
  const chain = {
    network: { chainId: 1 },
    async reading() {
      readings += 1;
      if (!answers) return undefined;
      return { balanceWei: wallet.balanceWei, blockNumber: wallet.block + wallet.lateBlocks };
    },
    usedNonces: async () => usedNonces,
  };
  const writer = {
    async write(leased: LeasedExecution, change: object, alongside?: (session: object) => Promise<void>) {
      changes.push(change);
      await alongside?.({});
      return { ...leased, execution: { ...leased.execution, ...change } };
    },
  };
  check = new LedgerCheck(
    { MAKER_RECONCILE_SECONDS: CHECK_SECONDS } as MakerConfiguration,
    chain as unknown as ChainAccess,
    writer as unknown as ExecutionWriter,
    {
      sum: async () => sums,
      append: async (entries: LedgerEntry[]) => {
        appended.push(...entries);
      },
    } as unknown as LedgerRepository,
    { highestNonce: async () => highestNonce } as unknown as TransactionsRepository,
    { now: () => wallet.nowMs } as Clock,
    { drift: (kind: string) => drifts.push(kind) } as unknown as MakerMetrics,
    pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
  );
});

/** One look, a block and a second after the last. */
async function look(
  open: LeasedExecution['open'],
  change: Partial<LeasedExecution['execution']> = {},
): Promise<LeasedExecution> {
  wallet.nowMs += 1000;
  wallet.block += 1;
  const leased = {
    execution: { ...execution, ...change },
    open,
    head: { number: wallet.block },
  } as unknown as LeasedExecution;
  return check.whenDue(leased, await check.readAhead(leased));
}

async function looks(seconds: number, open = inFlight): Promise<void> {
  for (let second = 0; second < seconds; second++) await look(open);
}

describe('a wallet that is never without a transaction, and of which no balance is read in time (design § 5)', () => {
  it('goes on at first', async () => {
    await looks(4 * CHECK_SECONDS);
    expect(check.isInDoubt('job')).toBe(false);
  });

  it('sends nothing new after five times the time between two checks, until it was compared', async () => {
    await looks(6 * CHECK_SECONDS);
    expect(check.isInDoubt('job')).toBe(true);
    const compared = await look([]);
    expect(compared.execution.driftWei).toBe(0n);
    expect(check.isInDoubt('job')).toBe(false);
  });

  it('is stopped then where money is missing', async () => {
    await looks(6 * CHECK_SECONDS);
    wallet.balanceWei = DEPOSIT - 7n;
    expect((await look([])).execution.driftWei).toBe(-7n);
  });

  it('goes on as soon as one is read in time', async () => {
    await looks(6 * CHECK_SECONDS);
    wallet.lateBlocks = 0;
    await look(inFlight);
    expect(check.isInDoubt('job')).toBe(false);
    wallet.lateBlocks = 1;
    await looks(4 * CHECK_SECONDS);
    expect(check.isInDoubt('job')).toBe(false);
  });

  it('is told so at the very moment, and not before', async () => {
    await look(inFlight);
    wallet.nowMs += 5 * CHECK_SECONDS * 1000 - 1;
    expect(check.isInDoubt('job')).toBe(false);
    wallet.nowMs += 1;
    expect(check.isInDoubt('job')).toBe(true);
    expect(check.isInDoubt('another job')).toBe(false);
  });
});

/** Looks until the chain is asked again, at most so many. */
async function looksUntilAsked(most: number, open: LeasedExecution['open'], change = {}): Promise<number> {
  const before = readings;
  for (let count = 1; count <= most; count += 1) {
    await look(open, change);
    if (readings > before) return count;
  }
  return Number.POSITIVE_INFINITY;
}

describe('a wallet is compared (design § 5)', () => {
  beforeEach(() => {
    wallet.lateBlocks = 0;
  });

  it.each([
    ['without open transactions', [] as unknown as LeasedExecution['open']],
    ['amid them', inFlight],
  ])('as often as is configured, %s', async (_, open) => {
    expect(await looksUntilAsked(1, open)).toBe(1);
    expect(await looksUntilAsked(200, open)).toBe(CHECK_SECONDS);
    expect(await looksUntilAsked(200, open)).toBe(CHECK_SECONDS);
    expect(changes).toEqual([]);
  });

  it('every five blocks while it drifts, and again at the next look where no answer came', async () => {
    const drifting = { driftWei: -7n };
    wallet.balanceWei = DEPOSIT - 7n;
    for (const open of [[] as unknown as LeasedExecution['open'], inFlight]) {
      check.forget('job');
      expect(await looksUntilAsked(1, open, drifting)).toBe(1);
      expect(await looksUntilAsked(20, open, drifting)).toBe(5);
      expect(await looksUntilAsked(20, open, drifting)).toBe(5);
    }
    check.forget('job');
    answers = false;
    expect((await look([])).execution).toEqual(execution);
    expect(await looksUntilAsked(1, [])).toBe(1);
  });

  it('not before its fee is paid, unless it drifts', async () => {
    expect(await looksUntilAsked(100, [], { phase: 'fee' })).toBe(Number.POSITIVE_INFINITY);
    expect(await looksUntilAsked(1, [], { phase: 'fee', driftWei: -7n })).toBe(1);
  });

  it('once at each look: its balance is read ahead amid its transactions only', async () => {
    const due = { execution, head: { number: 101 } };
    expect(await check.readAhead({ ...due, open: [] } as unknown as LeasedExecution)).toBeUndefined();
    expect(readings).toBe(0);
    expect(await check.readAhead({ ...due, open: inFlight } as unknown as LeasedExecution)).toEqual({
      balanceWei: DEPOSIT,
      blockNumber: 100,
    });
  });

  it('not by a balance that could not be read', async () => {
    const leased = { execution, open: inFlight, head: { number: 101 } } as unknown as LeasedExecution;
    expect(await check.whenDue(leased, undefined)).toBe(leased);
    expect(check.isInDoubt('job')).toBe(false);
  });

  it('anew after it was forgotten', async () => {
    await look([]);
    check.forget('job');
    expect(await looksUntilAsked(1, [])).toBe(1);
    wallet.balanceWei = DEPOSIT - 7n;
    check.forget('job');
    await look(inFlight);
    expect(check.isInDoubt('job')).toBe(true);
    check.forget('job');
    expect(check.isInDoubt('job')).toBe(false);
    wallet.lateBlocks = 1;
    await looks(6 * CHECK_SECONDS);
    check.forget('job');
    expect(check.isInDoubt('job')).toBe(false);
  });
});

describe('without open transactions (design § 5)', () => {
  const idle: LeasedExecution['open'] = [];

  it('money that is missing stops the wallet, and an operator is told how much', async () => {
    wallet.balanceWei = DEPOSIT - 7n;
    expect((await look(idle)).execution.driftWei).toBe(-7n);
    expect(drifts).toEqual(['missing']);
    expect(lines).toMatchObject([
      {
        level: 50,
        msg: 'the chain shows less than the ledger: the wallet is stopped',
        jobId: 'job',
        walletAddress: '0x1',
        driftWei: '-7',
      },
    ]);
  });

  it('a wallet that agrees again goes on, and one that still does not is written once', async () => {
    expect((await look(idle, { driftWei: -7n })).execution.driftWei).toBe(0n);
    expect(lines).toMatchObject([
      { level: 30, msg: 'ledger and chain agree again; the wallet goes on', jobId: 'job', driftWei: '0' },
    ]);
    expect(changes).toEqual([{ driftWei: 0n }]);
    check.forget('job');
    wallet.balanceWei = DEPOSIT - 7n;
    await look(idle, { driftWei: -7n });
    expect(changes).toHaveLength(1);
  });

  it('transactions that are not ours stop it, though no money is missing', async () => {
    usedNonces = 3;
    expect((await look(idle)).execution.driftWei).toBe(-2n);
    highestNonce = undefined;
    check.forget('job');
    expect((await look(idle)).execution.driftWei).toBe(0n);
  });

  it('nothing is judged by an endpoint that lags behind our transactions', async () => {
    usedNonces = 0;
    wallet.balanceWei = 1n;
    expect((await look(idle)).execution.driftWei).toBe(0n);
    expect([changes, drifts]).toEqual([[], []]);
  });

  it('money that came is booked under the revision that it was found at, and told', async () => {
    wallet.balanceWei = DEPOSIT + 9n;
    wallet.lateBlocks = 2;
    const after = await look(idle, { revision: 4 } as Partial<LeasedExecution['execution']>);
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
    expect(changes).toEqual([{ totals: addEntries(execution.totals, appended), driftWei: 0n, surplusAtBlock: 103 }]);
    expect(after.execution.totals.surplusWei).toBe(9n);
    expect(drifts).toEqual(['surplus']);
    expect(lines).toMatchObject([
      {
        jobId: 'job',
        surplusWei: '9',
        msg: 'money came to the wallet that its ledger did not expect: it is booked, and returned or held',
      },
    ]);
  });
});

describe('amid transactions (design § 5)', () => {
  const mined = [{ inclusion: { movedWei: 10n, gasWei: 3n } }, { inclusion: null }] as unknown as typeof inFlight;

  beforeEach(() => {
    wallet.lateBlocks = 0;
  });

  it('what is mined counts as what it moved and cost', async () => {
    wallet.balanceWei = DEPOSIT - 13n;
    await look(mined);
    expect(check.isInDoubt('job')).toBe(false);
    wallet.balanceWei = DEPOSIT;
    check.forget('job');
    await look(mined);
    expect(check.isInDoubt('job')).toBe(true);
  });

  it('a difference stops new ones until ledger and chain agree', async () => {
    wallet.balanceWei = DEPOSIT - 7n;
    await look(inFlight);
    expect(check.isInDoubt('job')).toBe(true);
    wallet.balanceWei = DEPOSIT;
    await look(inFlight);
    expect(check.isInDoubt('job')).toBe(false);
  });

  it('money that is still missing ten blocks later stops the wallet', async () => {
    wallet.balanceWei = DEPOSIT - 7n;
    for (let block = 0; block < 10; block += 1) expect((await look(inFlight)).execution.driftWei).toBe(0n);
    expect(drifts).toEqual([]);
    expect((await look(inFlight)).execution.driftWei).toBe(-7n);
    expect(drifts).toEqual(['missing']);
  });

  it('money that came stops nothing and is not booked yet', async () => {
    wallet.balanceWei = DEPOSIT + 7n;
    for (let block = 0; block < 20; block += 1) expect((await look(inFlight)).execution.driftWei).toBe(0n);
    expect([changes, appended, drifts]).toEqual([[], [], []]);
  });
});

describe('the entries of a job (design § 5)', () => {
  const leased = { execution } as LeasedExecution;

  it('add up to its totals', async () => {
    await expect(check.addUp(leased)).resolves.toBeUndefined();
    expect(drifts).toEqual([]);
  });

  it.each(LEDGER_KINDS)('are broken where they differ in %s', async (kind) => {
    sums = { ...execution.totals, [`${kind}Wei`]: 1n };
    await expect(check.addUp(leased)).rejects.toMatchObject({
      name: 'LedgerBrokenError',
      code: 'LEDGER_BROKEN',
      message: `The ledger of job does not add up: '${kind}' differs from its entries`,
    });
    expect(drifts).toEqual(['broken']);
  });
});
