import type { Clock } from '@maker/service-kit';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChainAccess } from '../chain/chain-access.ts';
import type { MakerConfiguration } from '../configuration.ts';
import type { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import type { LedgerRepository } from '../ledger/ledger.repository.ts';
import { EMPTY_TOTALS } from '../ledger/ledger-entry.ts';
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

beforeEach(() => {
  Object.assign(wallet, { nowMs: 1_000_000, block: 100, balanceWei: DEPOSIT, lateBlocks: 1 });
  const chain = {
    network: { chainId: 1 },
    reading: async () => ({ balanceWei: wallet.balanceWei, blockNumber: wallet.block + wallet.lateBlocks }),
    usedNonces: async () => 1,
  };
  const writer = {
    write: async (leased: LeasedExecution, change: object) => ({
      ...leased,
      execution: { ...leased.execution, ...change },
    }),
  };
  check = new LedgerCheck(
    { MAKER_RECONCILE_SECONDS: CHECK_SECONDS } as MakerConfiguration,
    chain as unknown as ChainAccess,
    writer as unknown as ExecutionWriter,
    {} as LedgerRepository,
    { highestNonce: async () => 0 } as unknown as TransactionsRepository,
    { now: () => wallet.nowMs } as Clock,
    { drift: () => undefined } as unknown as MakerMetrics,
    pino({ level: 'silent' }),
  );
});

/** One look, a block and a second after the last. */
async function look(open: LeasedExecution['open']): Promise<LeasedExecution> {
  wallet.nowMs += 1000;
  wallet.block += 1;
  const leased = { execution, open, head: { number: wallet.block } } as unknown as LeasedExecution;
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
});
