import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type OwnNode, rpc, signedTransfer, startOwnNode, walletOf } from './own-node.fixture.ts';
import type { WireBlock } from './rules/wire.ts';

const GWEI = 1_000_000_000n;
const DAY_SECONDS = 86_400;
let node: OwnNode;
beforeAll(async () => {
  node = await startOwnNode({ secondsPerBigBlock: 0 });
});
afterAll(() => node.stop());

const send = (raw: Hex) => ask(node.rpcUrl, 'eth_sendRawTransaction', raw);
const included = async () =>
  (await rpc<WireBlock>(node.rpcUrl, 'eth_getBlockByNumber', 'latest', true)).transactions.map(
    ({ from, nonce }) => `${from}:${Number(nonce)}`,
  );
const sender = (index: number) => walletOf(node, index).account.address.toLowerCase();

describe('sending', () => {
  it('accepts 8 nonces in any order', async () => {
    for (const nonce of [7, 3, 1, 2, 6, 5, 4]) {
      expect(await send(await signedTransfer(node, 3, { nonce }))).not.toHaveProperty('error');
    }
    expect((await send(await signedTransfer(node, 3, { nonce: 8 }))).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('nonce too high'),
    });
  });

  it('includes everything once a gap is filled', async () => {
    await node.control.mine();
    expect(await included()).toEqual([]);
    await send(await signedTransfer(node, 3, { nonce: 0 }));
    await node.control.mine();
    expect(await included()).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((nonce) => `${sender(3)}:${nonce}`));
    expect((await send(await signedTransfer(node, 3, { nonce: 7 }))).error?.message).toContain('nonce too low');
  });

  it('forgets a transaction that waited for a day', async () => {
    const wallet = walletOf(node, 4);
    const { result } = await send(await signedTransfer(node, 4, { nonce: 1 }));
    // Blocks made on demand may have run some seconds ahead of the clock.
    await node.control.increaseTime(DAY_SECONDS + 60);
    await node.control.mine();
    expect((await node.control.waiting()).map(({ hash }) => hash)).not.toContain(result);
    expect(await wallet.getTransactionCount({ address: wallet.account.address })).toBe(0);
  });

  it('orders by tip or arrival, by switch', async () => {
    const sendBoth = async (nonce: number) => {
      await send(await signedTransfer(node, 5, { nonce, maxPriorityFeePerGas: 1n }));
      await send(await signedTransfer(node, 6, { nonce, maxPriorityFeePerGas: GWEI }));
    };
    await sendBoth(0);
    await node.control.mine();
    expect(await included()).toEqual([`${sender(6)}:0`, `${sender(5)}:0`]);
    await node.control.setSwitches({ inclusionOrder: 'arrival' });
    await sendBoth(1);
    await node.control.mine();
    expect(await included()).toEqual([`${sender(5)}:1`, `${sender(6)}:1`]);
    await node.control.setSwitches({ inclusionOrder: 'tip' });
  });

  it('starves behind tips until outbid', async () => {
    await node.control.setSwitches({ otherTraffic: { small: { share: 1, tipWei: GWEI, mostBaseFeeWei: 10n * GWEI } } });
    const fees = { nonce: 0, maxFeePerGas: 20n * GWEI };
    await send(await signedTransfer(node, 7, { ...fees, maxPriorityFeePerGas: 1n }));
    await node.control.mine(3);
    expect(await included()).not.toContain(`${sender(7)}:0`);
    expect(
      (await send(await signedTransfer(node, 7, { ...fees, maxPriorityFeePerGas: 2n * GWEI }))).error?.message,
    ).toBe('replacement transaction underpriced');
    const replacement = { ...fees, maxFeePerGas: 22n * GWEI, maxPriorityFeePerGas: 2n * GWEI };
    expect(await send(await signedTransfer(node, 7, replacement))).not.toHaveProperty('error');
    await node.control.mine();
    expect((await included())[0]).toBe(`${sender(7)}:0`);
    await node.control.setSwitches({ otherTraffic: { small: null } });
  });

  it('waits until the base fee has fallen', async () => {
    await node.control.setBaseFee('small', 3n * GWEI);
    await send(await signedTransfer(node, 8, { nonce: 0 }));
    await node.control.mine();
    expect(await included()).toEqual([]);
    await node.control.setBaseFee('small', 2n * GWEI);
    await node.control.mine();
    expect(await included()).toEqual([`${sender(8)}:0`]);
  });

  it('never overfills a block', async () => {
    const burning = { gas: 1_600_000n, maxPriorityFeePerGas: 1n };
    for (const index of [8, 9]) {
      const nonce = index === 8 ? 1 : 0;
      const raw = await walletOf(node, index).signTransaction({
        // PUSH1 0, JUMPDEST and back: uses all of its gas.
        data: '0x5b600056',
        nonce,
        maxFeePerGas: 2n * GWEI,
        ...burning,
      });
      expect(await send(raw)).not.toHaveProperty('error');
    }
    await node.control.mine();
    expect(await included()).toEqual([`${sender(8)}:1`]);
    await node.control.mine();
    expect(await included()).toEqual([`${sender(9)}:0`]);
  });
});
