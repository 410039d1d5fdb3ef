import { request } from 'node:http';
import { numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  type OwnNode,
  post,
  type RawAnswer,
  rpc,
  signedTransfer,
  startOwnNode,
  unused,
  walletOf,
} from './own-node.fixture.ts';
import type { WireBlock } from './rules/wire.ts';

let node: OwnNode;
let head: number;
beforeAll(async () => {
  node = await startOwnNode({ secondsPerBigBlock: 0 });
  await node.control.mine(3);
  await rpc(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 3, { nonce: 0, value: 5n }));
  await node.control.mine(1);
  head = Number(await rpc(node.rpcUrl, 'eth_blockNumber'));
});
afterAll(() => node.stop());

const ABOVE = { code: -32603, message: expect.stringMatching(/^invalid block height: \d+$/) };
const HASH = `0x${'12'.repeat(32)}`;

/** The methods that the public endpoint documents, and `eth_sendRawTransaction`. Source: hyperevm § 1. */
const METHODS = [
  'eth_bigBlockGasPrice',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getSystemTxsByBlockHash',
  'eth_getSystemTxsByBlockNumber',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_usingBigBlocks',
  'net_version',
  'web3_clientVersion',
];

describe('methods', () => {
  it('of the documentation exist', async () => {
    for (const method of METHODS) expect((await ask(node.rpcUrl, method)).error?.code).not.toBe(-32601);
  });

  it('without documentation do not exist', async () => {
    const others = [
      'eth_sendTransaction',
      'eth_subscribe',
      'eth_newFilter',
      'eth_getProof',
      'eth_accounts',
      'anvil_mine',
    ];
    for (const method of [
      ...others,
      'evm_mine',
      'txpool_content',
      'debug_traceTransaction',
      'eth_pendingTransactions',
    ]) {
      expect((await ask(node.rpcUrl, method)).error?.code).toBe(-32601);
    }
  });

  it('report no tips and no synchronising', async () => {
    expect(await rpc(node.rpcUrl, 'eth_maxPriorityFeePerGas')).toBe('0x0');
    expect(await rpc(node.rpcUrl, 'eth_syncing')).toBe(false);
  });
});

describe('state', () => {
  it('is the latest for any block', async () => {
    for (const block of ['0x0', 'latest', 'pending', 'earliest', numberToHex(head + 1_000), undefined]) {
      expect(await rpc(node.rpcUrl, 'eth_getBalance', unused(1), block)).toBe('0x5');
      const { address } = walletOf(node, 3).account;
      expect(await rpc(node.rpcUrl, 'eth_getTransactionCount', address, block)).toBe('0x1');
      expect(await rpc(node.rpcUrl, 'eth_getCode', unused(1), block)).toBe('0x');
      expect(BigInt(await rpc(node.rpcUrl, 'eth_getStorageAt', unused(1), '0x0', block))).toBe(0n);
      // BLOCKNUMBER, returned as a word.
      const seen = await rpc<string>(node.rpcUrl, 'eth_call', { data: '0x4360005260206000f3' }, block);
      expect(Number(seen)).toBe(head);
      const transfer = { from: address, to: unused(1), value: '0x1' };
      expect(await rpc(node.rpcUrl, 'eth_estimateGas', transfer, block)).toBe('0x5208');
    }
    for (const block of ['newest', 17, { blockHash: '0x1' }])
      expect((await ask(node.rpcUrl, 'eth_getBalance', unused(1), block)).error?.message).toContain('invalid params');
  });

  it('is computed with at most 30 M gas', async () => {
    // GAS, returned as a word.
    const left = async (gas?: string) =>
      Number(await rpc<string>(node.rpcUrl, 'eth_call', { data: '0x5a60005260206000f3', gas }, 'latest'));
    expect(await left('0x5f5e1000')).toBeLessThan(30_000_000);
    expect(await left()).toBeGreaterThan(29_000_000);
    expect(await left('0xf4240')).toBeLessThan(1_000_000);
  });

  it('without recipient or with overrides is rejected by switch', async () => {
    await node.control.setSwitches({ refuseDeploylessCalls: true, refuseStateOverrides: true });
    expect((await ask(node.rpcUrl, 'eth_call', { data: '0x00' }, 'latest')).error?.message).toContain(
      'missing field `to`',
    );
    expect((await ask(node.rpcUrl, 'eth_call', { to: unused(1) }, 'latest', {})).error?.message).toContain('too many');
    expect(await rpc(node.rpcUrl, 'eth_call', { to: unused(1) }, 'latest')).toBe('0x');
    await node.control.setSwitches({ refuseDeploylessCalls: false, refuseStateOverrides: false });
    const override = { [unused(1)]: { code: '0x60ff60005260206000f3' } };
    expect(Number(await rpc<string>(node.rpcUrl, 'eth_call', { to: unused(1) }, 'latest', override))).toBe(255);
  });
});

describe('blocks', () => {
  it('above the head is an error or null', async () => {
    const above = numberToHex(head + 1);
    for (const [method, ...rest] of [
      ['eth_getBlockByNumber', false],
      ['eth_getBlockReceipts'],
      ['eth_getBlockTransactionCountByNumber'],
      ['eth_getTransactionByBlockNumberAndIndex', '0x0'],
      ['eth_getSystemTxsByBlockNumber'],
    ] as const) {
      expect((await ask(node.rpcUrl, method, above, ...rest)).error).toEqual(ABOVE);
    }
    expect((await ask(node.rpcUrl, 'eth_getLogs', { fromBlock: above, toBlock: above })).error).toEqual(ABOVE);
    for (const method of ['eth_getBlockByHash', 'eth_getSystemTxsByBlockHash', 'eth_getTransactionReceipt']) {
      expect(await rpc(node.rpcUrl, method, HASH, false)).toBeNull();
    }
  });

  it('above the head are null by switch', async () => {
    await node.control.setSwitches({ nullAboveHead: true });
    expect(await rpc(node.rpcUrl, 'eth_getBlockByNumber', numberToHex(head + 1), false)).toBeNull();
    await node.control.setSwitches({ nullAboveHead: false });
  });

  it('before the kept history are an error', async () => {
    const { hash } = await rpc<WireBlock>(node.rpcUrl, 'eth_getBlockByNumber', numberToHex(head - 2), false);
    await node.control.setSwitches({ keptBlocks: 2 });
    expect((await ask(node.rpcUrl, 'eth_getBlockByNumber', numberToHex(head - 2), false)).error).toEqual(ABOVE);
    expect(await rpc(node.rpcUrl, 'eth_getBlockByHash', hash, false)).toBeNull();
    const oldest = await rpc<WireBlock>(node.rpcUrl, 'eth_getBlockByNumber', 'earliest', false);
    expect(Number(oldest.number)).toBe(head - 1);
    await node.control.setSwitches({ keptBlocks: 1_000 });
  });

  it('are never pending', async () => {
    for (const height of ['pending', 'newest', '12', 12, '0x', undefined, {}])
      expect((await ask(node.rpcUrl, 'eth_getBlockByNumber', height, false)).error?.code).toBe(-32602);
  });

  it('by finality tag are the head', async () => {
    for (const tag of ['safe', 'finalized'])
      expect(await rpc(node.rpcUrl, 'eth_getBlockByNumber', tag, false)).toMatchObject({ number: numberToHex(head) });
  });

  it('show only transactions that they include', async () => {
    const hash = await rpc<string>(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 4, { nonce: 0 }));
    expect(await rpc(node.rpcUrl, 'eth_getTransactionByHash', hash)).toBeNull();
    await node.control.mine();
    head += 1;
    expect(await rpc(node.rpcUrl, 'eth_getTransactionByHash', hash)).toMatchObject({
      hash,
      blockNumber: numberToHex(head),
    });
    expect(await rpc(node.rpcUrl, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    expect(await rpc(node.rpcUrl, 'eth_getTransactionByBlockNumberAndIndex', 'latest', '0x0')).toMatchObject({ hash });
    expect(await rpc(node.rpcUrl, 'eth_getBlockTransactionCountByNumber', 'latest')).toBe('0x1');
    expect(await rpc(node.rpcUrl, 'eth_getBlockReceipts', 'latest')).toMatchObject([{ transactionHash: hash }]);
  });
});

describe('logs', () => {
  it('are limited to 50 blocks and 4 topics', async () => {
    const topics = [Array(3).fill(HASH), null, Array(2).fill(HASH)];
    expect((await ask(node.rpcUrl, 'eth_getLogs', { topics })).error?.message).toContain('5 topics, at most 4');
    expect(await rpc(node.rpcUrl, 'eth_getLogs', {})).toEqual([]);
    const backwards = { fromBlock: numberToHex(head), toBlock: numberToHex(head - 1) };
    expect((await ask(node.rpcUrl, 'eth_getLogs', backwards)).error?.message).toContain('is after toBlock');
    await node.control.mine(50);
    head += 50;
    const span = (blocks: number) => ({ fromBlock: numberToHex(head - blocks + 1), toBlock: 'latest' });
    expect((await ask(node.rpcUrl, 'eth_getLogs', span(51))).error?.message).toContain('at most 50');
    expect(await rpc(node.rpcUrl, 'eth_getLogs', span(50))).toEqual([]);
  });
});

describe('requests', () => {
  it('in a batch are answered in order', async () => {
    const calls = [
      { jsonrpc: '2.0', id: 'a', method: 'eth_getBalance', params: [unused(1), 'latest'] },
      { jsonrpc: '2.0', id: 2, method: 'eth_blockNumber', params: [] },
      { jsonrpc: '2.0', id: 3, method: 'eth_nothing', params: [] },
      { jsonrpc: '2.0', id: 4, method: 'eth_getBlockByNumber', params: ['0xffffff', false] },
      17,
      { jsonrpc: '2.0', id: 5, method: 'eth_getBalance', params: ['nobody', 'latest'] },
      { jsonrpc: '2.0', id: 6, method: 'eth_chainId', params: [] },
    ];
    const answers = (await (await post(node.rpcUrl, calls)).json()) as RawAnswer[];
    expect(answers.map(({ id }) => id)).toEqual(['a', 2, 3, 4, null, 5, 6]);
    expect(answers.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      -32601,
      -32603,
      -32600,
      -32602,
      undefined,
    ]);
    expect(answers[0]?.result).toBe(await rpc(node.rpcUrl, 'eth_getBalance', unused(1), 'latest'));
  });

  it('that are invalid get an error, and the connection stays', async () => {
    expect(await (await post(node.rpcUrl, '{')).json()).toMatchObject({ error: { code: -32700 } });
    expect(await (await post(node.rpcUrl, [])).json()).toMatchObject({ error: { code: -32600 } });
  });

  it('for a WebSocket are rejected', async () => {
    const { port } = new URL(node.rpcUrl);
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AA==',
    };
    const status = await new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', headers }, ({ statusCode }) => resolve(statusCode))
        .once('error', reject)
        .end();
    });
    expect(status).toBe(405);
  });

  it('above the limit gets 429, batches counted', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
    await node.control.setSwitches({ requestsPerMinute: 100 });
    const first = await post(node.rpcUrl, Array(99).fill(call));
    const statuses = [first.status, (await post(node.rpcUrl, call)).status, (await post(node.rpcUrl, call)).status];
    await node.control.setSwitches({ requestsPerMinute: 0 });
    expect(statuses).toEqual([200, 200, 429]);
    expect((await post(node.rpcUrl, call)).status).toBe(200);
  });
});
