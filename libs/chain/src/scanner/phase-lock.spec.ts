import { describe, expect, it } from 'vitest';
import { PhaseLock, periodOfHeaders } from './phase-lock.ts';

interface Chain {
  /** Time from which block n is readable, ms. */
  readonly availableAt: (block: number) => number;
  readonly timestampAt?: (block: number) => number;
  /** Whether block n comes together with the one before. */
  readonly isBeside?: (block: number) => boolean;
}

/** Follows a simulated chain; a poll takes 2 ms. @returns mean and worst lag after a settling time, and polls per block */
function follow({ availableAt, timestampAt, isBeside }: Chain, blocks: number) {
  const lock = new PhaseLock(availableAt(0));
  const lags: number[] = [];
  let polls = 0;
  let now = availableAt(0);
  for (let block = 1; block <= blocks; ) {
    now = Math.max(now, lock.nextPollAtMs) + 2;
    polls += 1;
    if (availableAt(block) > now) {
      lock.missed(now);
      continue;
    }
    lags.push(now - availableAt(block));
    lock.arrived(now, timestampAt?.(block) ?? Math.floor(availableAt(block) / 1000) * 1000, isBeside?.(block));
    block += 1;
  }
  const settled = lags.slice(Math.floor(lags.length / 4));
  return {
    meanLagMs: settled.reduce((sum, lag) => sum + lag, 0) / settled.length,
    worstLagMs: Math.max(...settled),
    pollsPerBlock: polls / blocks,
  };
}

/** Follows only the newest block of a simulated chain, and passes the others. @returns how many of the last were newest once */
function followNewest(
  { availableAt, timestampAt }: Required<Omit<Chain, 'isBeside'>>,
  blocks: number,
  last: number,
): number {
  const lock = new PhaseLock(availableAt(0));
  const seen: number[] = [];
  let now = availableAt(0);
  while ((seen.at(-1) ?? -1) < blocks) {
    now = Math.max(now, lock.nextPollAtMs) + 2;
    const before = seen.at(-1) ?? -1;
    let newest = before;
    while (availableAt(newest + 1) <= now) newest += 1;
    if (newest === before) {
      lock.missed(now);
      continue;
    }
    if (before >= 0) for (let between = before + 1; between < newest; between += 1) lock.passed(timestampAt(between));
    lock.arrived(now, timestampAt(newest));
    seen.push(newest);
  }
  return seen.filter((block) => block > blocks - last).length;
}

/** Creates the same pseudo-random numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('polls just after a block exists (design § 4)', () => {
  it('on a chain of one block per second', () => {
    const { meanLagMs, worstLagMs, pollsPerBlock } = follow({ availableAt: (n) => 400 + n * 1000 }, 400);
    expect(meanLagMs).toBeLessThan(17);
    expect(worstLagMs).toBeLessThan(40);
    expect(pollsPerBlock).toBeLessThan(1.3);
  });

  it.each([5, 15])('on a chain with %d ms jitter, one call each', (spread) => {
    const random = seeded(11);
    const jitter = Array.from({ length: 601 }, () => (random() + random() - 1) * spread);
    const chain = { availableAt: (n: number) => n * 1000 + (jitter[n] ?? 0) };
    const { meanLagMs, worstLagMs, pollsPerBlock } = follow(chain, 600);
    expect(meanLagMs).toBeLessThan(25);
    expect(worstLagMs).toBeLessThan(65);
    expect(pollsPerBlock).toBeLessThan(1.3);
  });

  it('on a chain with a late block in ten', () => {
    const random = seeded(3);
    const late = Array.from({ length: 601 }, () => (random() < 0.1 ? random() * 300 : 0));
    const chain = { availableAt: (n: number) => n * 1000 + (late[n] ?? 0) };
    const { meanLagMs, pollsPerBlock } = follow(chain, 600);
    expect(meanLagMs).toBeLessThan(25);
    expect(pollsPerBlock).toBeLessThan(1.6);
  });

  it('on a chain with a period off whole seconds', () => {
    const random = seeded(7);
    const jitter = Array.from({ length: 601 }, () => random() * 10);
    const chain = { availableAt: (n: number) => n * 985 + (jitter[n] ?? 0) };
    const { meanLagMs, worstLagMs, pollsPerBlock } = follow(chain, 600);
    expect(meanLagMs).toBeLessThan(20);
    expect(worstLagMs).toBeLessThan(65);
    expect(pollsPerBlock).toBeLessThan(1.3);
  });

  it('when the chain clock jumps', () => {
    const timestampAt = (n: number) => (n + (n >= 100 ? 901 : 0) + (n >= 200 ? 86_400 : 0)) * 1000;
    const { meanLagMs, worstLagMs } = follow({ availableAt: (n) => n * 1000, timestampAt }, 400);
    expect(meanLagMs).toBeLessThan(25);
    expect(worstLagMs).toBeLessThan(60);
  });

  it('when blocks come faster than their header times', () => {
    const chain = { availableAt: (n: number) => n * 100, timestampAt: (n: number) => n * 1000 };
    const { meanLagMs, pollsPerBlock } = follow(chain, 600);
    expect(meanLagMs).toBeLessThan(30);
    expect(pollsPerBlock).toBeLessThan(1.5);
    expect(follow(chain, 150).meanLagMs).toBeLessThan(1000);
  });

  it.each([100, 250, 500])('without an empty poll for blocks each %d ms', (ms) => {
    const chain = { availableAt: (n: number) => 400 + n * ms, timestampAt: (n: number) => n * 1000 };
    expect(followNewest(chain, 600, 200)).toBe(200);
  });

  it('with a big block once a minute', () => {
    const isBeside = (n: number) => n > 0 && n % 61 === 0;
    const availableAt = (n: number) => (n - Math.floor(n / 61)) * 1000;
    const { meanLagMs, pollsPerBlock } = follow({ availableAt, isBeside }, 610);
    // The next small block reveals the big one: a second in 61 blocks.
    expect(meanLagMs).toBeLessThan(1000 / 61 + 17);
    expect(pollsPerBlock).toBeLessThan(1.3);
  });

  it('after a halt of the chain for a minute', () => {
    const { meanLagMs, pollsPerBlock } = follow({ availableAt: (n) => n * 1000 + (n > 50 ? 60_300 : 0) }, 400);
    expect(meanLagMs).toBeLessThan(30);
    expect(pollsPerBlock).toBeLessThan(1.6);
  });
});

it('reports a lag when a second block came', () => {
  const lock = new PhaseLock(0);
  for (let block = 1; block <= 20; block++) {
    lock.missed(block * 1000 - 10);
    expect(lock.arrived(block * 1000, block * 1000)).toBe(false);
  }
  expect(lock.arrived(22_300, 20_000)).toBe(true);
});

it('takes the usual header step as the period', () => {
  expect(periodOfHeaders([])).toBe(1000);
  expect(periodOfHeaders([1000, 3000, 5000, 905_000, 907_000])).toBe(2000);
  expect(periodOfHeaders([5000, 5000, 5000, 5000])).toBe(50);
});
