import { numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type OwnNode, rpc, signedTransfer, startOwnNode, unused } from './own-node.fixture.ts';

let node: OwnNode;
beforeAll(async () => {
  node = await startOwnNode({ secondsPerBigBlock: 0 });
});
afterAll(() => node.stop());

/** The answers of both nodes; they take turns. */
async function both(method: string, ...params: unknown[]): Promise<unknown[]> {
  const answers = [await ask(node.rpcUrl, method, ...params), await ask(node.rpcUrl, method, ...params)];
  return answers.map(({ result, error }) => error?.message ?? result);
}

describe('two nodes behind one name', () => {
  it('disagree about the head until the later one catches up', async () => {
    const before = Number(await rpc(node.rpcUrl, 'eth_blockNumber'));
    // So far behind that it cannot catch up within the test, even on a slow machine.
    await node.control.setSwitches({ secondNodeBehindMs: 600_000 });
    const hash = await rpc<string>(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 3, { nonce: 0 }));
    await node.control.mine();
    const tip = numberToHex(before + 1);
    expect(new Set(await both('eth_blockNumber'))).toEqual(new Set([tip, numberToHex(0)]));
    expect(await both('eth_getBlockByNumber', tip, false)).toContain(`invalid block height: ${before + 1}`);
    expect(new Set(await both('eth_getBalance', unused(1), 'latest'))).toEqual(new Set(['0x0', '0x1']));
    expect(await both('eth_getTransactionReceipt', hash)).toContain(null);
    await node.control.setSwitches({ secondNodeBehindMs: 1 });
    await expect.poll(async () => new Set(await both('eth_blockNumber')), { timeout: 30_000 }).toEqual(new Set([tip]));
    await node.control.setSwitches({ secondNodeBehindMs: 0 });
  });
});

describe('jitter', () => {
  it('lets answers overtake each other', async () => {
    await node.control.setSwitches({ jitterMs: 30 });
    const finished: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await rpc(node.rpcUrl, 'eth_chainId');
        finished.push(index);
      }),
    );
    await node.control.setSwitches({ jitterMs: 0 });
    expect(finished).not.toEqual(finished.toSorted((one, other) => one - other));
  });
});
