import { HyperCoreUnavailableError } from '@maker/chain';
import type { Logger } from '@maker/service-kit';
import type { Address } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import type { ReportedFind } from '../watch/watch.ts';
import type { SearchedWatch } from '../watch/watches.repository.ts';
import { ScheduledSearch } from './scheduled-search.ts';
import { searchAgainAt } from './search-again.ts';

const MINUTE_MS = 60_000;
const addressOf = (index: number): Address => `0x${String(index).padStart(40, '0')}`;

/** Jobs that were all created at 0, a clock, and the assets at their addresses. */
function stage(jobs = 1, { addressesPerCall = 1, concurrentCalls = 4 } = {}) {
  const state = {
    nowMs: 0,
    found: '0' as string | undefined,
    isDown: false,
    endedAtMs: undefined as number | undefined,
  };
  const asked: Address[] = [];
  const calls: number[] = [];
  const reported: { jobId: string; found: string }[] = [];
  const finds = new Map<string, ReportedFind>();
  const names = Array.from({ length: jobs }, (_, index) => ({ address: addressOf(index), jobId: `job_${index}` }));
  const watchOf = (one: (typeof names)[number]): SearchedWatch => {
    const find = finds.get(one.jobId);
    const { endedAtMs } = state;
    return { ...one, createdAtMs: 0, ...(endedAtMs !== undefined && { endedAtMs }), ...(find && { find }) };
  };
  const search = new ScheduledSearch(
    { now: () => state.nowMs },
    {
      kind: 'hyperCore',
      isConfigured: true,
      name: 'something',
      addressesPerCall,
      concurrentCalls,
      nothing: '0',
      find: async (watches) => {
        calls.push(watches.length);
        asked.push(...watches.map(({ address }) => address));
        if (state.isDown) throw new HyperCoreUnavailableError('is down');
        return watches.map(() => state.found);
      },
    },
    {
      toSearch: async (_, ages, most) =>
        ages
          .flatMap(({ since, afterMs, untilMs, except }) =>
            names.map(watchOf).filter(({ address, createdAtMs, endedAtMs }) => {
              const sinceMs = since === 'endedAt' ? endedAtMs : endedAtMs === undefined ? createdAtMs : undefined;
              return sinceMs !== undefined && sinceMs > afterMs && sinceMs <= untilMs && !except.includes(address);
            }),
          )
          .slice(0, most),
      toSearchAgain: async (_, nowMs, most) =>
        names
          .map(watchOf)
          .filter(({ endedAtMs, find }) => endedAtMs !== undefined && find && find.againAt.getTime() <= nowMs)
          .slice(0, most),
    },
    {
      report: async (_, jobId, found) => {
        reported.push({ jobId, found: found as string });
        const since = new Date(state.nowMs);
        const find = { reported: found, since, againAt: searchAgainAt(state.nowMs, state.nowMs) };
        if (found === '0') finds.delete(jobId);
        else finds.set(jobId, find);
        return '';
      },
      keep: async (_, jobId, find) => {
        finds.set(jobId, { ...find, againAt: searchAgainAt(find.since.getTime(), state.nowMs) });
      },
    },
    { warn: vi.fn() } as unknown as Logger,
  );
  const pass = async (toMs: number) => {
    for (; state.nowMs <= toMs; state.nowMs += 10_000) await search.afterBlock();
  };
  /** Minutes up to a time in which an address was searched. */
  const minutesTo = async (lastMinute: number) => {
    const minutes: number[] = [];
    while (state.nowMs <= lastMinute * MINUTE_MS) {
      const before = asked.length;
      await pass(state.nowMs);
      if (asked.length > before) minutes.push(Math.floor((state.nowMs - 10_000) / MINUTE_MS));
    }
    return minutes;
  };
  return { state, asked, calls, reported, pass, minutesTo };
}

describe('searches for assets that pay for no job', () => {
  it('are made 1, 3, 7 and 14 minutes after creation', async () => {
    const { asked, minutesTo } = stage();
    expect(await minutesTo(16)).toEqual([1, 3, 7, 14]);
    expect(asked).toHaveLength(4);
  });

  it('are made 1 and 10 minutes after the end', async () => {
    const { state, minutesTo } = stage();
    await minutesTo(16);
    state.endedAtMs = 20 * MINUTE_MS;
    expect(await minutesTo(36)).toEqual([21, 30]);
  });

  it('report a find once', async () => {
    const { state, reported, pass } = stage();
    state.found = '5';
    await pass(16 * MINUTE_MS);
    expect(reported).toEqual([{ jobId: 'job_0', found: '5' }]);
  });

  it('report that a find is gone', async () => {
    const { state, reported, pass } = stage();
    state.found = '5';
    await pass(2 * MINUTE_MS);
    Object.assign(state, { found: '0', endedAtMs: 10 * MINUTE_MS });
    await pass(16 * MINUTE_MS);
    expect(reported.map(({ found }) => found)).toEqual(['5', '0']);
  });

  it('report within an hour that a find is gone', async () => {
    const { state, reported, asked, pass } = stage();
    Object.assign(state, { found: '5', endedAtMs: 10 * MINUTE_MS });
    await pass(1440 * MINUTE_MS);
    expect(reported.map(({ found }) => found)).toEqual(['5']);
    const inADay = asked.length;
    expect(inADay).toBeLessThanOrEqual(60);
    state.found = '0';
    await pass(1500 * MINUTE_MS);
    expect(reported.map(({ found }) => found)).toEqual(['5', '0']);
    await pass(1600 * MINUTE_MS);
    expect(asked.length - inADay).toBeLessThanOrEqual(2);
  });

  it('are limited with an asset at every address', async () => {
    const { state, asked, pass } = stage(500);
    Object.assign(state, { found: '5', endedAtMs: 0 });
    await pass(30 * MINUTE_MS);
    expect(asked.length).toBeLessThanOrEqual(30 * 6 * 20 + 20);
    expect(new Set(asked).size).toBe(500);
  });

  it('report nothing after a failed read', async () => {
    const { state, reported, asked, pass } = stage();
    state.found = '5';
    await pass(2 * MINUTE_MS);
    state.found = undefined;
    await pass(8 * MINUTE_MS);
    state.found = '5';
    await pass(16 * MINUTE_MS);
    expect(reported).toEqual([{ jobId: 'job_0', found: '5' }]);
    expect(asked).toHaveLength(4);
  });

  it('are limited for any number of jobs', async () => {
    const { asked, pass } = stage(500);
    await pass(2 * MINUTE_MS);
    expect(asked.length).toBeLessThanOrEqual(7 * 20);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('read all addresses of a round in one call', async () => {
    const { calls, pass } = stage(50, { addressesPerCall: 20, concurrentCalls: 1 });
    await pass(MINUTE_MS + 20_000);
    expect(calls).toEqual([20, 20, 10]);
  });

  it('retry every ten seconds while the source is down', async () => {
    const { state, asked, reported, pass } = stage(50);
    Object.assign(state, { isDown: true, found: '5' });
    await pass(MINUTE_MS + 20_000);
    expect(asked.length).toBeLessThanOrEqual(3 * 4);
    state.isDown = false;
    await pass(2 * MINUTE_MS + 20_000);
    expect(reported).toHaveLength(50);
  });
});
