import type { Hash } from 'viem';
import { expect, it } from 'vitest';
import type { Transfer } from './scan-events.ts';
import { keepSuccessful } from './successful-transfers.ts';

const BLOCK = { number: '0x7', hash: `0x${'b1'.repeat(32)}` } as const;
const REPLACED: Hash = `0x${'b2'.repeat(32)}`;

const hashOf = (index: number): Hash => `0x${String(index).padStart(64, '0')}`;
const transfer = (index: number, from: Transfer['from'] = `0x${'aa'.repeat(20)}`): Transfer => ({
  transactionHash: hashOf(index),
  from,
  to: `0x${'cc'.repeat(20)}`,
  amountWei: 5n,
});
const receipt = (index: number, blockHash: Hash = BLOCK.hash) => ({
  transactionHash: hashOf(index),
  status: '0x1',
  blockHash,
});

/** @param answer of a node to every request */
const keep = (answer: unknown, ...transfers: Transfer[]) => keepSuccessful(async () => answer, transfers, BLOCK);

it('takes no block before all its receipts', async () => {
  expect(await keep(null, transfer(1))).toBeUndefined();
  expect(await keep(null, transfer(1), transfer(2))).toBeUndefined();
  expect(await keep([receipt(1)], transfer(1), transfer(2))).toBeUndefined();
  expect(await keep([receipt(1), receipt(2)], transfer(1), transfer(2))).toEqual([transfer(1), transfer(2)]);
});

it('takes no block with moved transactions', async () => {
  expect(await keep(receipt(1, REPLACED), transfer(1))).toBeUndefined();
  expect(await keep([receipt(1), receipt(2, REPLACED)], transfer(1), transfer(2))).toBeUndefined();
});

it('leaves a system transaction to the balance', async () => {
  expect(await keep(null, transfer(1, null))).toEqual([]);
  expect(await keep([receipt(1)], transfer(1), transfer(2, null))).toEqual([transfer(1)]);
});
