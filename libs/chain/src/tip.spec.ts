import { describe, expect, it } from 'vitest';
import type { ChainClient } from './client.ts';
import { SmallBlockTip, tipAfter } from './tip.ts';

const GWEI = 1_000_000_000n;
const SMALL = 3_000_000n;

/** A chain where every included transaction pays a tip, and the number of requests for its tips. */
function chainOf(tipWei: bigint, bigBlock = -1) {
  const asked: bigint[] = [];
  const getFeeHistory = async ({ blockCount, blockNumber }: { blockCount: number; blockNumber: bigint }) => {
    asked.push(blockNumber);
    const oldestBlock = blockNumber - BigInt(blockCount) + 1n;
    const heights = Array.from({ length: blockCount }, (_, index) => Number(oldestBlock) + index);
    const reward = heights.map((height) => [height === bigBlock ? 1000n * GWEI : tipWei]);
    return { oldestBlock, baseFeePerGas: [], gasUsedRatio: heights.map(() => 0.99), reward };
  };
  const client = { getFeeHistory } as unknown as ChainClient;
  const tip = new SmallBlockTip(client);
  const block = (number: number, share: number, gasLimit = SMALL) =>
    tip.after({ number: BigInt(number), gasLimit, gasUsed: (gasLimit * BigInt(share)) / 100n }, gasLimit > SMALL);
  return { client, asked, block };
}

describe('SmallBlockTip (hyperevm § 1.3)', () => {
  it('offers nothing while blocks have room', async () => {
    const { asked, block } = chainOf(5n * GWEI);
    for (const number of [1, 2, 3, 4, 5, 6, 7]) expect(await block(number, 60)).toBe(0n);
    expect(asked).toEqual([]);
  });

  it('offers above the median in half-full blocks', async () => {
    const { asked, block } = chainOf(8n * GWEI);
    expect([await block(1, 99), await block(2, 99)]).toEqual([0n, 0n]);
    expect(await block(3, 99)).toBe(9n * GWEI);
    for (const number of [4, 5, 6]) await block(number, 50);
    expect(await block(7, 50)).toBe(0n);
    expect(asked[0]).toBe(3n);
  });

  it('reads tips once in three full blocks', async () => {
    const { asked, block } = chainOf(8n * GWEI);
    for (const number of [1, 2, 3, 4, 5, 6, 7]) await block(number, 99);
    expect(asked).toEqual([3n, 6n]);
    expect(await block(8, 99)).toBe(9n * GWEI);
  });

  it('offers nothing where tips do not matter', async () => {
    const { block } = chainOf(0n);
    await block(1, 99);
    await block(2, 99);
    expect(await block(3, 99)).toBe(0n);
  });

  it('ignores big blocks', async () => {
    const { block } = chainOf(8n * GWEI, 3);
    await block(1, 99);
    await block(2, 99);
    expect(await block(3, 99, 30_000_000n)).toBe(0n);
    expect(await block(4, 99)).toBe(9n * GWEI);
  });
});

describe('tipAfter, for a plan (design § 4a: base and priority fee together)', () => {
  const header = (share: bigint, baseFeeWei = GWEI / 10n) => ({
    number: 20,
    baseFeeWei,
    gasLimit: SMALL,
    gasUsed: (SMALL * share) / 100n,
  });

  it('is zero with room at the lowest base fee', async () => {
    const { client, asked } = chainOf(8n * GWEI);
    expect(await tipAfter(client, header(60n))).toBe(0n);
    expect(asked).toEqual([]);
  });

  it('is above the median in full blocks', async () => {
    const { client } = chainOf(8n * GWEI, 15);
    expect(await tipAfter(client, header(99n))).toBe(9n * GWEI);
  });

  it('is queried above the fee floor', async () => {
    const { client } = chainOf(8n * GWEI);
    expect(await tipAfter(client, header(0n, 3n * GWEI))).toBe(9n * GWEI);
  });

  it('reports a failed endpoint', async () => {
    const getFeeHistory = () => Promise.reject(new Error('down'));
    const client = { getFeeHistory } as unknown as ChainClient;
    await expect(tipAfter(client, header(99n))).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
  });
});
