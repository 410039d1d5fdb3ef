import type { BalanceReader, BalanceReading, BlockPointer } from '@maker/chain';
import type { Lease } from '@maker/persistence';
import type { Clock } from '@maker/service-kit';
import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import type { PaymentWatcherConfiguration } from '../configuration.ts';
import type { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import { ScanState } from '../scan/scan-state.ts';
import type { WatchesRepository } from '../watch/watches.repository.ts';
import type { ExplainBalanceService } from './explain-balance.service.ts';
import { PollBalancesService } from './poll-balances.service.ts';

/** Capacity of the reader's call if the node refuses nothing. */
const ADDRESSES_PER_CALL = 2400;
const POLL_SECONDS = 20;

const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`;

/** A watcher of `watched` addresses on a chain with one block a second; records its reads and writes. */
function watcherOf(watched: number) {
  const all = Array.from({ length: watched }, (_, index) => addressOf(index));
  const pastDeadline: Address[] = [];
  const ended: Address[] = [];
  /** Addresses whose readings of zero are saved too. */
  const unsettled = new Set<Address>();
  /** Calls of the metrics. */
  const polls: string[] = [];
  const state = new ScanState({} as Lease, { blocks: [], lastMissedBlock: -1 });
  const read: Address[] = [];
  const seen = { calls: 0, writes: 0, nowMs: 1_000_000, block: 100, nodeAheadBy: 0 };
  const reader = {
    read: async (addresses: readonly Address[]): Promise<BalanceReading[]> => {
      read.push(...addresses);
      const readings: BalanceReading[] = [];
      for (let from = 0; from < addresses.length; from += ADDRESSES_PER_CALL) {
        seen.calls += 1;
        const part = addresses.slice(from, from + ADDRESSES_PER_CALL);
        const blockNumber = seen.block + seen.nodeAheadBy;
        readings.push({ blockNumber, timestampMs: seen.nowMs, addresses: part, balances: new Map() });
      }
      return readings;
    },
  };
  const explainer = {
    explain: async () => {
      seen.writes += 1;
    },
  };
  const watches = {
    closeEnded: async () => ended.splice(0),
    toPoll: async () => all.map((address) => ({ address, settled: !unsettled.has(address) })),
    unreadPastDeadline: async () => pastDeadline.splice(0),
  };
  const service = new PollBalancesService(
    reader as unknown as BalanceReader,
    explainer as unknown as ExplainBalanceService,
    watches as unknown as WatchesRepository,
    { now: () => seen.nowMs } as Clock,
    {
      startPoll: (which: string) => {
        polls.push(`${which} begin`);
        return () => polls.push(`${which} end`);
      },
    } as unknown as PaymentWatcherMetrics,
    {
      WATCHER_POLL_INTERVAL_SECONDS: POLL_SECONDS,
    } as PaymentWatcherConfiguration,
  );
  /** Processes the next block. @returns the addresses read, and the number of calls and database transactions */
  const block = async () => {
    const before = { ...seen, read: read.length };
    seen.block += 1;
    seen.nowMs += 1000;
    await service.afterBlock(state, { number: seen.block, hash: '0x', timestampMs: seen.nowMs } as BlockPointer);
    return { read: read.slice(before.read), calls: seen.calls - before.calls, writes: seen.writes - before.writes };
  };
  return { state, pastDeadline, ended, unsettled, polls, seen, block };
}

describe('a poll of all balances', () => {
  it('reads 100,000 addresses once per five blocks', async () => {
    const { block } = watcherOf(100_000);
    const blocks = [];
    for (let count = 0; count < 5 * 42; count += 1) blocks.push(await block());
    expect(new Set(blocks.flatMap(({ read }) => read)).size).toBe(100_000);
    expect(blocks.reduce((sum, { read }) => sum + read.length, 0)).toBe(100_000);
    for (const [index, { calls, writes }] of blocks.entries()) {
      expect([calls, writes]).toEqual(index % 5 === 0 ? [1, 1] : [0, 0]);
    }
    expect((await block()).read.length).toBe(ADDRESSES_PER_CALL);
  });

  it('finishes 9,600 addresses within 20 blocks', async () => {
    const { block } = watcherOf(9600);
    const read: Address[] = [];
    for (let count = 0; count < POLL_SECONDS; count += 1) read.push(...(await block()).read);
    expect(new Set(read).size).toBe(9600);
    const few = watcherOf(2400);
    expect(await few.block()).toMatchObject({ calls: 1, writes: 1 });
    expect(await few.block()).toMatchObject({ read: [], calls: 0, writes: 0 });
  });

  it('begins after its interval since the last start', async () => {
    const { block } = watcherOf(3);
    const read: number[] = [];
    for (let count = 0; count <= 2 * POLL_SECONDS; count += 1) if ((await block()).calls > 0) read.push(count);
    expect(read).toEqual([0, POLL_SECONDS, 2 * POLL_SECONDS]);
  });

  it('marks addresses whose reading of zero changes nothing', async () => {
    const { block, state, unsettled } = watcherOf(3);
    unsettled.add(addressOf(1));
    await block();
    expect(state.settled).toEqual(new Set([addressOf(0), addressOf(2)]));
    unsettled.add(addressOf(2));
    for (let count = 0; count < POLL_SECONDS; count += 1) await block();
    expect(state.settled).toEqual(new Set([addressOf(0)]));
  });

  it('ends watches past their end', async () => {
    const { block, state, ended } = watcherOf(1);
    state.watched.add(addressOf(5));
    ended.push(addressOf(5));
    await block();
    expect(state.watched.has(addressOf(5))).toBe(false);
  });

  it('restarts when earlier readings are in doubt', async () => {
    const { block, state } = watcherOf(5000);
    const { read } = await block();
    state.nextPollAtMs = 0;
    expect((await block()).read).toEqual(read);
  });

  it('reads priority addresses once, without delay', async () => {
    const { block, state, pastDeadline } = watcherOf(100_000);
    await block();
    const [mentioned, late] = [addressOf(99_998), addressOf(99_999)];
    state.toRead.add(mentioned);
    pastDeadline.push(late);
    const { read } = await block();
    expect(read.slice(0, 2)).toEqual([mentioned, late]);
    // Readings with a reason are saved, also of zero.
    expect(state.settled.has(mentioned) || state.settled.has(late)).toBe(false);
    expect(state.settled.size).toBe(99_998);
    const blocks = [];
    for (let count = 2; count < 5 * 42; count += 1) blocks.push(await block());
    // The next part comes five blocks after the first.
    expect(blocks.findIndex(({ calls }) => calls > 0)).toBe(3);
    const later = blocks.flatMap((one) => one.read);
    expect(later.length).toBe(100_000 - ADDRESSES_PER_CALL - 2);
    expect(later).not.toContain(mentioned);
    expect(later).not.toContain(late);
  });
});

it('waits for a scanned block before explaining balances', async () => {
  const { block, state, seen } = watcherOf(1);
  seen.nodeAheadBy = 2;
  expect(await block()).toMatchObject({ calls: 1, writes: 0 });
  state.toRead.add(addressOf(0));
  expect(await block()).toMatchObject({ calls: 0, writes: 0 });
  seen.nodeAheadBy = 0;
  expect(await block()).toMatchObject({ calls: 1, writes: 2 });
});

it('reports durations of readings to the metrics', async () => {
  const { block, state, polls } = watcherOf(1);
  await block();
  await block();
  state.toRead.add(addressOf(0));
  await block();
  expect(polls).toEqual(['all begin', 'all end', 'some begin', 'some end']);
});
