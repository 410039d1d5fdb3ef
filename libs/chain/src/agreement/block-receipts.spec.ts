import { type Hash, RpcRequestError, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import { BlockReceipts } from './block-receipts.ts';
import type { Hosts } from './hosts.ts';

const OURS: Hash = '0x1';
const BLOCK = { number: 9, hash: '0x99' } as const;

type Node = (method: string) => unknown;

const receipt = (hash: Hash, blockHash: Hash = BLOCK.hash) => ({
  ...{ transactionHash: hash, blockHash, status: '0x1', logs: [], blockNumber: toHex(BLOCK.number) },
  ...{ gasUsed: '0x3', effectiveGasPrice: '0x1', cumulativeGasUsed: '0x3', transactionIndex: '0x0', type: '0x0' },
});

/** Creates the receipts of hosts with these answers, and records the methods that each host receives. */
function receiptsOf(...nodes: readonly Node[]) {
  const asked: string[] = [];
  const clients = nodes.map((node, index) => {
    const request = async ({ method }: { method: string }) => {
      asked.push(`${index} ${method}`);
      return node(method);
    };
    const getTransactionReceipt = () => request({ method: 'eth_getTransactionReceipt' });
    return { uid: `${index}`, request, getTransactionReceipt } as unknown as ChainClient;
  });
  const answers = async (ask: (client: ChainClient) => Promise<unknown>) => {
    const settled = await Promise.allSettled(clients.map(ask));
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  };
  return { receipts: new BlockReceipts({ answers } as unknown as Hosts), asked };
}

const unsupported = () => {
  throw new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_601, message: 'no such method' } });
};
const shows: Node = () => [receipt(OURS), receipt('0x2')];

describe('receipts of a block (docs/adr/0116)', () => {
  it('are read once from each host for all transactions', async () => {
    const { receipts, asked } = receiptsOf(shows, shows);
    expect(await receipts.inBlock(OURS, BLOCK)).toMatchObject([{ status: 'success' }, { status: 'success' }]);
    expect(await receipts.inBlock('0x2', BLOCK)).toHaveLength(2);
    expect(await receipts.inBlock('0x3', BLOCK)).toEqual([undefined, undefined]);
    expect(asked).toEqual(['0 eth_getBlockReceipts', '1 eth_getBlockReceipts']);
    await receipts.inBlock(OURS, BLOCK, true);
    expect(asked).toHaveLength(4);
  });

  it('are read again where a host lacks the block', async () => {
    let later: unknown = null;
    const { receipts } = receiptsOf(shows, () => later);
    expect(await receipts.inBlock(OURS, BLOCK)).toMatchObject([{ status: 'success' }, undefined]);
    later = [receipt(OURS, '0x98')];
    expect(await receipts.inBlock(OURS, BLOCK)).toMatchObject([{ status: 'success' }, undefined]);
    later = [receipt(OURS)];
    expect(await receipts.inBlock(OURS, BLOCK)).toMatchObject([{ status: 'success' }, { status: 'success' }]);
  });

  it('come one by one where a node serves no lists', async () => {
    const single: Node = (method) => (method === 'eth_getBlockReceipts' ? unsupported() : receipt(OURS));
    const { receipts, asked } = receiptsOf(single);
    expect(await receipts.inBlock(OURS, BLOCK)).toMatchObject([{ transactionHash: OURS }]);
    expect(asked).toEqual(['0 eth_getBlockReceipts', '0 eth_getTransactionReceipt']);
  });

  it('leave out an unreachable host', async () => {
    const down: Node = () => {
      throw new Error('no answer');
    };
    const { receipts } = receiptsOf(down, shows);
    expect(await receipts.inBlock(OURS, BLOCK)).toHaveLength(1);
    expect(await receiptsOf(down).receipts.byHash(OURS)).toEqual([]);
  });
});
