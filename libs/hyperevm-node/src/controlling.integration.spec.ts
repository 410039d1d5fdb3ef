import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createTestClient, http } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { controlNode } from './control/control-node.ts';
import {
  ask,
  type OwnNode,
  rpc,
  signedTransfer,
  startExecution,
  startOwnNode,
  unused,
  walletOf,
} from './own-node.fixture.ts';
import type { WireBlock } from './rules/wire.ts';

let node: OwnNode;
afterEach(() => node?.stop());

const head = () => rpc<WireBlock>(node.rpcUrl, 'eth_getBlockByNumber', 'latest', true);

describe('the control address', () => {
  it('replaces blocks in a reorganisation', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    await node.control.mine(2);
    const hash = await rpc<string>(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 3, { nonce: 0 }));
    await node.control.mine(2);
    const before = await head();
    await node.control.reorganise(3);
    const after = await head();
    expect(after.number).toBe(before.number);
    expect(after.hash).not.toBe(before.hash);
    expect(await rpc(node.rpcUrl, 'eth_getTransactionReceipt', hash)).toBeNull();
    expect(await rpc(node.rpcUrl, 'eth_getBlockByHash', before.hash, false)).toBeNull();
    await rpc(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 3, { nonce: 0 }));
    await node.control.mine();
    expect(await rpc(node.rpcUrl, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  });

  it('reverts to a snapshot', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    await node.control.mine();
    const { number } = await head();
    const snapshot = await node.control.request('evm_snapshot');
    await node.control.mine(3);
    await node.control.request('evm_revert', snapshot);
    expect((await head()).number).toBe(number);
    await node.control.mine();
    expect(Number((await head()).number)).toBe(Number(number) + 1);
  });

  it("supports viem's test client and impersonated senders", async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    const client = createTestClient({ mode: 'anvil', transport: http(node.controlUrl) });
    await client.setBalance({ address: unused(5), value: 10n ** 18n });
    await client.impersonateAccount({ address: unused(5) });
    const transfer = { from: unused(5), to: unused(6), value: '0x7' };
    const hash = await node.control.request<string>('eth_sendTransaction', transfer);
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 500_000_000n });
    await client.mine({ blocks: 1 });
    const block = await head();
    expect(block.transactions.map((transaction) => transaction.hash)).toEqual([hash]);
    expect(Number(block.baseFeePerGas)).toBe(500_000_000);
    await client.increaseTime({ seconds: 900 });
    await client.mine({ blocks: 1 });
    expect(Number((await head()).timestamp)).toBeGreaterThanOrEqual(Number(block.timestamp) + 899);
  });

  it('sets a balance that is immediately spendable', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    const client = createTestClient({ mode: 'anvil', transport: http(node.controlUrl) });
    const blocks = node.control.mine(200);
    for (let index = 50; index < 90; index += 1) {
      await client.setBalance({ address: walletOf(node, index).account.address, value: 10n ** 18n });
      const raw = await signedTransfer(node, index, { nonce: 0 });
      await expect(rpc(node.rpcUrl, 'eth_sendRawTransaction', raw)).resolves.toMatch(/^0x/);
    }
    await blocks;
  });

  it('refuses to stop mining and unknown switches', async () => {
    node = await startOwnNode();
    await expect(node.control.request('evm_setAutomine', true)).rejects.toThrow('produces the blocks');
    for (const wrong of [{ speed: 1 }, { jitterMs: -1 }, { inclusionOrder: 'luck' }])
      await expect(node.control.request('node_setSwitches', wrong)).rejects.toThrow(Object.keys(wrong)[0]);
    expect((await ask(node.controlUrl, 'anvil_nothing')).error).toBeDefined();
  });

  it('drops waiting transactions', async () => {
    node = await startOwnNode();
    const hash = await rpc<string>(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 3, { nonce: 0 }));
    expect(await node.control.waiting()).toMatchObject([{ hash, nonce: 0, kind: 'small' }]);
    await node.control.request('anvil_dropTransaction', hash);
    expect(await node.control.waiting()).toEqual([]);
  });
});

describe('a node in front of an anvil with earlier blocks', () => {
  it('continues its chain with earlier credits', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    await node.control.core.credit(unused(7), 10n ** 18n);
    await node.control.core.send(unused(7), '0x2222222222222222222222222222222222222222', 10n ** 18n);
    await node.control.mine(2);
    const again = await spawnNode(node.executionUrl);
    try {
      const control = controlNode(again.controlUrl);
      const credited = await rpc<WireBlock>(again.rpcUrl, 'eth_getBlockByNumber', '0x1', true);
      expect([credited.transactions, Number(credited.gasUsed)]).toEqual([[], 0]);
      expect(await rpc(again.rpcUrl, 'eth_getSystemTxsByBlockNumber', '0x1')).toHaveLength(1);
      await control.mine();
      expect(Number(await rpc(again.rpcUrl, 'eth_blockNumber'))).toBe(3);
    } finally {
      await again.stop();
    }
  });
});

describe('wallets', () => {
  it('send through the node without special settings', async () => {
    node = await startOwnNode({ blockMs: 20 });
    const wallet = walletOf(node, 3);
    const hash = await wallet.sendTransaction({ to: unused(1), value: 1n });
    const receipt = await wallet.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    expect(receipt.status).toBe('success');
  });
});

describe('a failed anvil', () => {
  it('stops blocks, and the node answers with an error', async () => {
    const execution = await startExecution();
    node = await startOwnNode({ executionUrl: execution.url });
    await execution.stop();
    const { error } = await ask(node.rpcUrl, 'eth_getBalance', unused(1), 'latest');
    expect(error?.message).toContain('cannot reach anvil');
    expect(await rpc(node.rpcUrl, 'eth_blockNumber')).toBe('0x0');
  });
});

/** Runs the node as a separate process. */
async function spawnNode(executionUrl: string) {
  const main = join(import.meta.dirname, 'main.ts');
  const flags = [
    '--conditions=@maker/source',
    main,
    '--execution-url',
    executionUrl,
    '--block-ms',
    '0',
    '--seconds-per-big-block',
    '0',
  ];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    ...(JSON.parse(line.toString()) as { rpcUrl: string; controlUrl: string }),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
