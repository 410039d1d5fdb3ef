import { numberToHex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, type OwnNode, rpc, signedTransfer, startOwnNode, walletOf } from './own-node.fixture.ts';
import type { WireBlock } from './rules/wire.ts';

const GWEI = 1_000_000_000n;
let node: OwnNode;
afterEach(() => node.stop());

const headOf = async () => Number(await rpc<string>(node.rpcUrl, 'eth_blockNumber'));
const block = (number: number | 'latest') =>
  rpc<WireBlock>(node.rpcUrl, 'eth_getBlockByNumber', number === 'latest' ? number : numberToHex(number), true);

describe('blocks', () => {
  it('are small, one big after each minute’s first', async () => {
    node = await startOwnNode({ secondsPerBlock: 20 });
    const first = (await headOf()) + 1;
    await node.control.mine(6);
    const blocks = await Promise.all(
      Array.from({ length: (await headOf()) - first + 1 }, (_, at) => block(first + at)),
    );
    const big = blocks.filter(({ gasLimit }) => gasLimit === numberToHex(30_000_000));
    expect(big.length).toBe(2);
    expect(blocks.filter(({ gasLimit }) => gasLimit === numberToHex(3_000_000))).toHaveLength(6);
    for (const { number, timestamp } of big) {
      const [before, after] = [await block(Number(number) - 2), await block(Number(number) - 1)];
      expect(Math.floor(Number(before.timestamp) / 60)).toBeLessThan(Math.floor(Number(after.timestamp) / 60));
      expect(timestamp).toBe(after.timestamp);
    }
  });

  it('arrive at the set interval, a second each', async () => {
    node = await startOwnNode({ blockMs: 20, secondsPerBigBlock: 0 });
    const first = await block('latest');
    await expect.poll(headOf, { timeout: 30_000 }).toBeGreaterThan(Number(first.number) + 10);
    await node.control.setBlockInterval(0);
    const last = await block('latest');
    const blocks = Number(last.number) - Number(first.number);
    expect(Number(last.timestamp) - Number(first.timestamp)).toBeGreaterThanOrEqual(blocks);
  });

  it('use the timestamp that a test sets', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    const { timestamp } = await block('latest');
    await node.control.request('evm_setNextBlockTimestamp', Number(timestamp) + 500);
    await node.control.mine();
    expect(Number((await block('latest')).timestamp)).toBe(Number(timestamp) + 500);
    await node.control.increaseTime(1_000);
    await node.control.mine();
    expect(Number((await block('latest')).timestamp)).toBeGreaterThanOrEqual(Number(timestamp) + 1_000);
  });

  it('keep a base fee per kind', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    await node.control.setBaseFee('big', 8n * GWEI);
    await node.control.setBaseFee('small', 2n * GWEI);
    expect(await rpc(node.rpcUrl, 'eth_gasPrice')).toBe(numberToHex(2n * GWEI));
    expect(await rpc(node.rpcUrl, 'eth_bigBlockGasPrice')).toBe(numberToHex(8n * GWEI));
    await node.control.mine();
    await node.control.mineBigBlock();
    await node.control.mine();
    const head = await headOf();
    const fees = await Promise.all(
      [head - 2, head - 1, head].map(async (at) => BigInt((await block(at)).baseFeePerGas)),
    );
    expect(fees).toEqual([2n * GWEI, 8n * GWEI, (2n * GWEI * 7n) / 8n]);
  });

  it('use each base fee that is set during blocks', async () => {
    node = await startOwnNode({ blockMs: 1, secondsPerBigBlock: 0 });
    const first = await headOf();
    const fees = Array.from({ length: 10 }, (_, index) => BigInt(index + 2) * GWEI);
    for (const fee of fees) {
      await node.control.setBaseFee('small', fee);
      const head = await headOf();
      await expect.poll(headOf, { timeout: 30_000 }).toBeGreaterThan(head + 1);
    }
    const numbers = Array.from({ length: (await headOf()) - first }, (_, index) => first + 1 + index);
    const used = await Promise.all(numbers.map(async (at) => BigInt((await block(at)).baseFeePerGas)));
    expect(used).toEqual(expect.arrayContaining(fees));
  });

  it('raise the base fee when full, then lower it', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    await node.control.setSwitches({
      otherTraffic: { small: { share: 1, tipWei: 3n * GWEI, mostBaseFeeWei: 200_000_000n } },
    });
    await node.control.mine(12);
    const { baseFeePerGas, gasUsedRatio, reward } = await rpc<{
      baseFeePerGas: string[];
      gasUsedRatio: number[];
      reward: string[][];
    }>(node.rpcUrl, 'eth_feeHistory', '0xb', 'latest', [50]);
    const highest = Math.max(...baseFeePerGas.map(Number));
    expect(gasUsedRatio.filter((ratio) => ratio > 0.99).length).toBeGreaterThan(5);
    expect(highest).toBeGreaterThan(200_000_000);
    expect(highest).toBeLessThanOrEqual(225_000_000);
    expect(gasUsedRatio).toContain(0);
    expect(reward[gasUsedRatio.indexOf(gasUsedRatio.find((ratio) => ratio > 0.99) ?? 0)]).toEqual([
      numberToHex(3n * GWEI),
    ]);
  });

  it('burn the priority fee: it goes to the zero address', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    const raw = await signedTransfer(node, 3, { nonce: 0, maxPriorityFeePerGas: GWEI });
    await rpc(node.rpcUrl, 'eth_sendRawTransaction', raw);
    await node.control.mine();
    const burned = await rpc<string>(node.rpcUrl, 'eth_getBalance', `0x${'00'.repeat(20)}`, 'latest');
    expect(BigInt(burned)).toBe(21_000n * GWEI);
    expect(((await block('latest')) as unknown as { miner: string }).miner).toBe(`0x${'00'.repeat(20)}`);
  });

  it('of the big kind include opted-in accounts only', async () => {
    node = await startOwnNode({ secondsPerBigBlock: 0 });
    const [large, small] = [walletOf(node, 3).account.address, walletOf(node, 4).account.address];
    await node.control.setUsingBigBlocks(large, true);
    expect(await rpc(node.rpcUrl, 'eth_usingBigBlocks', large)).toBe(true);
    expect(await rpc(node.rpcUrl, 'eth_usingBigBlocks', small)).toBe(false);
    const ofLarge = await signedTransfer(node, 3, { nonce: 0, gas: 5_000_000n });
    const ofSmall = await signedTransfer(node, 4, { nonce: 0 });
    for (const raw of [ofLarge, ofSmall]) await rpc(node.rpcUrl, 'eth_sendRawTransaction', raw);
    await node.control.mine();
    expect((await block('latest')).transactions.map(({ from }) => from)).toEqual([small.toLowerCase()]);
    await node.control.mineBigBlock();
    expect((await block('latest')).transactions.map(({ from }) => from)).toEqual([large.toLowerCase()]);
    await node.control.setUsingBigBlocks(large, false);
    const refusal = await ask(
      node.rpcUrl,
      'eth_sendRawTransaction',
      await signedTransfer(node, 3, { nonce: 1, gas: 5_000_000n }),
    );
    expect(refusal.error?.message).toContain('exceeds block gas limit');
  });
});
