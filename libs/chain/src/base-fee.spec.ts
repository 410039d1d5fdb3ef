import { expect, it } from 'vitest';
import { type FeeHeader, SmallBlockFee } from './base-fee.ts';
import type { ChainClient } from './client.ts';

const GWEI = 1_000_000_000n;

function header(number: number, gasLimit: bigint, baseFeePerGas: bigint): FeeHeader {
  return { number: BigInt(number), parentHash: `0x${number - 1}`, gasLimit, baseFeePerGas };
}

const small = (number: number, wei: bigint) => header(number, 3_000_000n, wei);
const big = (number: number, wei: bigint) => header(number, 30_000_000n, wei);

/** A client that knows parent blocks and counts requests. */
function clientOf(blocks: readonly FeeHeader[]): { client: ChainClient; asked: () => number } {
  let asked = 0;
  const getBlock = async ({ blockHash }: { blockHash: string }) => {
    asked += 1;
    return blocks.find(({ number }) => `0x${number}` === blockHash);
  };
  return { client: { getBlock } as never, asked: () => asked };
}

it('is that of the small block before a big one', async () => {
  const { client, asked } = clientOf([]);
  const fee = new SmallBlockFee(client);
  expect(await fee.after(small(1, GWEI))).toBe(GWEI);
  expect(await fee.after(big(2, 50n * GWEI))).toBe(GWEI);
  expect(await fee.after(small(3, 2n * GWEI))).toBe(2n * GWEI);
  expect(asked()).toBe(0);
});

it('skips a big first block', async () => {
  const { client } = clientOf([small(9, GWEI)]);
  expect(await new SmallBlockFee(client).after(big(10, 50n * GWEI))).toBe(GWEI);
});

it('costs one extra request where all blocks are alike', async () => {
  const { client, asked } = clientOf([big(9, GWEI)]);
  const fee = new SmallBlockFee(client);
  for (let number = 10; number < 20; number += 1) {
    expect(await fee.after(big(number, BigInt(number) * GWEI))).toBe(BigInt(number) * GWEI);
  }
  expect(asked()).toBe(1);
});
