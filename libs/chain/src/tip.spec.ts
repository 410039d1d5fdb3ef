import { describe, expect, it } from 'vitest';
import type { ChainClient } from './client.ts';
import { SmallBlockTip } from './tip.ts';

const GWEI = 1_000_000_000n;
const SMALL = 3_000_000n;

/** A chain on which everybody who is let in pays a tip, and how often its tips were asked for. */
function chainOf(tipWei: bigint, bigBlock = -1) {
  const asked: bigint[] = [];
  const getFeeHistory = async ({ blockCount, blockNumber }: { blockCount: number; blockNumber: bigint }) => {
    asked.push(blockNumber);
    const oldestBlock = blockNumber - BigInt(blockCount) + 1n;
    const heights = Array.from({ length: blockCount }, (_, index) => Number(oldestBlock) + index);
    const reward = heights.map((height) => [height === bigBlock ? 1000n * GWEI : tipWei]);
    return { oldestBlock, baseFeePerGas: [], gasUsedRatio: heights.map(() => 0.99), reward };
  };
  const tip = new SmallBlockTip({ getFeeHistory } as unknown as ChainClient);
  const block = (number: number, share: number, gasLimit = SMALL) =>
    tip.after({ number: BigInt(number), gasLimit, gasUsed: (gasLimit * BigInt(share)) / 100n }, gasLimit > SMALL);
  return { asked, block };
}

describe('SmallBlockTip (hyperevm § 1.3)', () => {
  it('offers nothing and asks nothing while blocks have room', async () => {
    const { asked, block } = chainOf(5n * GWEI);
    for (const number of [1, 2, 3, 4, 5, 6, 7]) expect(await block(number, 60)).toBe(0n);
    expect(asked).toEqual([]);
  });

  it('offers a little more than the middle of those who are let in once half of the blocks are full', async () => {
    const { asked, block } = chainOf(8n * GWEI);
    expect([await block(1, 99), await block(2, 99)]).toEqual([0n, 0n]);
    expect(await block(3, 99)).toBe(9n * GWEI);
    for (const number of [4, 5, 6]) await block(number, 50);
    expect(await block(7, 50)).toBe(0n);
    expect(asked[0]).toBe(3n);
  });

  it('offers nothing where full blocks let in who pays nothing: tips do not matter there', async () => {
    const { block } = chainOf(0n);
    await block(1, 99);
    await block(2, 99);
    expect(await block(3, 99)).toBe(0n);
  });

  it('takes no notice of big blocks, whose tips are of another market', async () => {
    const { block } = chainOf(8n * GWEI, 3);
    await block(1, 99);
    await block(2, 99);
    expect(await block(3, 99, 30_000_000n)).toBe(0n);
    expect(await block(4, 99)).toBe(9n * GWEI);
  });
});
