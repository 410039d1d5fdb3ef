import { beforeEach, describe, expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import { ChainClock } from './chain-clock.ts';

const START_MS = 1_000_000_000_000;
const BOUND_MS = 60_000;
const MONTH_MS = 30 * 86_400_000;

let nowMs: number;
let asked: number;
/** Lead of each host over our clock, ms; undefined for a host that fails, 'silent' for one that never answers. */
let aheadMs: (number | undefined | 'silent')[];
let errors: number;

beforeEach(() => {
  nowMs = START_MS;
  asked = 0;
  errors = 0;
  aheadMs = [0, 0];
});

function clock(): ChainClock {
  const hosts = aheadMs.map((_, index) => ({
    origin: `host-${index}`,
    async request() {
      asked += 1;
      const ahead = aheadMs[index];
      if (ahead === undefined) throw new Error('no answer');
      if (ahead === 'silent') return new Promise(() => undefined);
      return { hash: '0x1', timestamp: `0x${((nowMs + ahead) / 1000).toString(16)}` };
    },
  }));
  const client = { transport: { hostCount: hosts.length, hosts: () => hosts } } as unknown as ChainClient;
  const logger = {
    error: () => {
      errors += 1;
    },
  };
  return new ChainClock(client, BOUND_MS, logger, () => nowMs);
}

/** The time of a block by the first host. */
const next = (of: ChainClock) => of.timeOf(1, nowMs + Number(aheadMs[0] ?? 0));

describe('the time at the head (docs/adr/0055)', () => {
  it('follows the second host where the first is months ahead', async () => {
    const time = clock();
    aheadMs = [MONTH_MS, 0];
    expect(await next(time)).toBe(START_MS);
    nowMs += 1000;
    expect(await next(time)).toBe(START_MS + 1000);
  });

  it('is unknown where a lone host exceeds the bound', async () => {
    aheadMs = [MONTH_MS];
    const time = clock();
    expect(await next(time)).toBeUndefined();
    aheadMs = [-MONTH_MS];
    expect(await next(time)).toBeUndefined();
    expect(errors).toBe(1);
    aheadMs = [1000];
    expect(await next(time)).toBe(START_MS + 1000);
  });

  it('never goes back', async () => {
    aheadMs = [10_000];
    const time = clock();
    expect(await next(time)).toBe(START_MS + 10_000);
    aheadMs = [0];
    expect(await next(time)).toBe(START_MS + 10_000);
  });

  it('queries hosts once while blocks follow the clock', async () => {
    const time = clock();
    for (let block = 0; block < 100; block++, nowMs += 1000) await next(time);
    expect(asked).toBe(2);
    aheadMs = [20_000, 0];
    expect(await next(time)).toBe(nowMs);
    expect(asked).toBe(4);
  });

  it('follows one host while the other is silent', async () => {
    aheadMs = [20_000, undefined];
    const time = clock();
    expect(await next(time)).toBe(START_MS + 20_000);
    aheadMs = [MONTH_MS, undefined];
    expect(await next(time)).toBeUndefined();
  });

  it('follows two hosts while the third is silent', async () => {
    aheadMs = [20_000, 0, 'silent'];
    expect(await next(clock())).toBe(START_MS);
  });
});
