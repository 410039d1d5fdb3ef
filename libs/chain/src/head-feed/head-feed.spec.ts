import { afterEach, describe, expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import { ChainClock } from './chain-clock.ts';
import { HeadFeed } from './head-feed.ts';

const GWEI = 1_000_000_000n;
const HOUR_MS = 3_600_000;
const feeds: HeadFeed[] = [];
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
});

interface Shown {
  number: number;
  branch: string;
  gasLimit: bigint;
  feeWei: bigint;
}

/** A feed of a configurable node, and the number of requests for its newest block. */
function feedOf(shown: Shown) {
  const node = { shown, asked: 0, nowMs: 0, aheadSeconds: 0, reorgs: 0 };
  const getBlock = async ({ blockNumber }: { blockNumber?: bigint }) => {
    if (blockNumber === undefined) node.asked += 1;
    const { branch, gasLimit, feeWei } = node.shown;
    const number = blockNumber ?? BigInt(node.shown.number);
    const header = { number, hash: `0x${branch}${number}`, parentHash: `0x${branch}${number - 1n}` };
    return {
      ...header,
      timestamp: Number(number) + node.aheadSeconds,
      gasLimit,
      baseFeePerGas: feeWei,
      transactions: [],
    };
  };
  const client = { getBlock, transport: {} } as unknown as ChainClient;
  const logger = { warn: () => undefined, error: () => undefined };
  const clock = new ChainClock(client, HOUR_MS, logger, () => node.nowMs);
  const feed = new HeadFeed(client, logger, clock);
  feed.listenToReorgs(() => {
    node.reorgs += 1;
  });
  feeds.push(feed);
  feed.start();
  return { feed, node };
}

const small = (number: number, branch = 'a'): Shown => ({ number, branch, gasLimit: 3_000_000n, feeWei: GWEI });
const WAIT = { timeout: 10_000, interval: 5 };

describe('the newest block', () => {
  it('never goes back, however late its node is', async () => {
    const { feed, node } = feedOf(small(98));
    await expect.poll(() => feed.head?.number, WAIT).toBe(98);
    node.shown = small(100);
    await expect.poll(() => feed.head?.number, WAIT).toBe(100);
    node.shown = small(99);
    node.nowMs += HOUR_MS;
    const { asked } = node;
    await expect.poll(() => node.asked, WAIT).toBeGreaterThan(asked + 2);
    expect(feed.head?.number).toBe(100);
    expect(node.reorgs).toBe(0);
    node.shown = small(101);
    await expect.poll(() => feed.head?.number, WAIT).toBe(101);
  });

  it('rejects a block time far from the clock (docs/adr/0055)', async () => {
    const { feed, node } = feedOf(small(98));
    await expect.poll(() => feed.head?.number, WAIT).toBe(98);
    const received: number[] = [];
    feed.listen((head) => received.push(head.number));
    for (const aheadSeconds of [30 * 86_400, -30 * 86_400]) {
      node.aheadSeconds = aheadSeconds;
      node.shown = small(99);
      const { asked } = node;
      await expect.poll(() => node.asked, WAIT).toBeGreaterThan(asked + 2);
      expect(feed.chainNowMs).toBe(98_000);
    }
    expect(received).toEqual([]);
    node.aheadSeconds = 0;
    await expect.poll(() => received, WAIT).toEqual([99]);
  });

  it('goes back with a reorganisation', async () => {
    const { feed, node } = feedOf(small(99));
    await expect.poll(() => feed.head?.number, WAIT).toBe(99);
    node.shown = small(100);
    await expect.poll(() => feed.head?.number, WAIT).toBe(100);
    node.shown = small(99, 'b');
    node.nowMs += HOUR_MS;
    await expect.poll(() => feed.head?.hash, WAIT).toBe('0xb99');
    expect(node.reorgs).toBe(1);
  });

  it.each([
    ['45 s back', [-45_000]],
    ['two hours on and back', [2 * HOUR_MS, 0]],
    ['two hours back and on', [-2 * HOUR_MS, 0]],
  ])('is read on after the clock stepped %s', async (_, steps) => {
    const { feed, node } = feedOf(small(98));
    await expect.poll(() => feed.head?.number, WAIT).toBe(98);
    for (const step of steps) {
      node.nowMs = step;
      node.shown = small(node.shown.number + 1);
      const { asked } = node;
      await expect.poll(() => node.asked, WAIT).toBeGreaterThan(asked + 2);
    }
    node.shown = small(node.shown.number + 1);
    await expect.poll(() => feed.head?.number, WAIT).toBe(node.shown.number);
  });

  it('reports each round, also one that failed', async () => {
    let rounds = 0;
    const client = { getBlock: async () => Promise.reject(new Error('no endpoint answers')), transport: {} };
    const logger = { warn: () => undefined, error: () => undefined };
    const clock = new ChainClock(client as unknown as ChainClient, HOUR_MS, logger, () => 0);
    const feed = new HeadFeed(client as unknown as ChainClient, logger, clock, 1);
    feeds.push(feed);
    feed.start(() => {
      rounds += 1;
    });
    await expect.poll(() => rounds, WAIT).toBeGreaterThan(3);
  });

  it('has the base fee of small blocks', async () => {
    const { feed, node } = feedOf(small(99));
    await expect.poll(() => feed.head?.number, WAIT).toBe(99);
    node.shown = { number: 100, branch: 'a', gasLimit: 30_000_000n, feeWei: 50n * GWEI };
    await expect.poll(() => feed.head?.number, WAIT).toBe(100);
    expect(feed.head?.baseFeeWei).toBe(GWEI);
  });
});

describe('the hash at a height in the newest block’s branch (design § 5)', () => {
  it('is known to the oldest remembered block’s parent', async () => {
    const { feed, node } = feedOf(small(98));
    await expect.poll(() => feed.head?.number, WAIT).toBe(98);
    node.shown = small(100);
    await expect.poll(() => feed.head?.number, WAIT).toBe(100);
    expect([97, 98, 99, 100].map((height) => feed.hashAt(height))).toEqual(['0xa97', '0xa98', '0xa99', '0xa100']);
    expect([96, 101].map((height) => feed.hashAt(height))).toEqual([undefined, undefined]);
  });

  it('follows the new branch after a reorganisation', async () => {
    const { feed, node } = feedOf(small(99));
    await expect.poll(() => feed.head?.number, WAIT).toBe(99);
    node.shown = small(100);
    await expect.poll(() => feed.head?.number, WAIT).toBe(100);
    node.shown = small(101, 'b');
    await expect.poll(() => feed.head?.number, WAIT).toBe(101);
    expect([98, 100, 101].map((height) => feed.hashAt(height))).toEqual([undefined, '0xb100', '0xb101']);
  });
});
