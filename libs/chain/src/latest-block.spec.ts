import { expect, it } from 'vitest';
import { SmallBlockFee } from './base-fee.ts';
import type { ChainClient } from './client.ts';
import { latestBlockAndFee } from './latest-block.ts';

const GWEI = 1_000_000_000n;
const small = { number: 59n, timestamp: 59n, parentHash: '0x58', gasLimit: 3_000_000n, baseFeePerGas: GWEI };
const big = { number: 60n, timestamp: 60n, parentHash: '0x59', gasLimit: 30_000_000n, baseFeePerGas: 90n * GWEI };

it('reports small blocks’ fee above a big block', async () => {
  const client = { getBlock: async (block?: object) => (block ? small : big) } as unknown as ChainClient;
  expect(await latestBlockAndFee(client, new SmallBlockFee(client))).toEqual({
    number: 60,
    timestampMs: 60_000,
    smallBlockFeeWei: GWEI,
  });
});
