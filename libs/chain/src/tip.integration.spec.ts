import type { Hex } from 'viem';
import { afterEach, expect, it, vi } from 'vitest';
import { ENOUGH, type OwnNode, rpc, signedTransfer, startOwnNode } from '../../hyperevm-node/src/own-node.fixture.ts';
import { createChainClient } from './client.ts';
import { networkOf } from './networks.ts';
import { SmallBlockTip } from './tip.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

const GWEI = 1_000_000_000n;
const nodes: OwnNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

async function crowdedNode() {
  const small = { share: 1, tipWei: 2n * GWEI, mostBaseFeeWei: GWEI };
  const node = await startOwnNode({ switches: { inclusionOrder: 'tip', otherTraffic: { small, big: null } } });
  nodes.push(node);
  const client = createChainClient({ network: networkOf(31_337), rpcUrls: [node.rpcUrl] });
  const tip = new SmallBlockTip(client);
  /** Mines a number of blocks, and passes each to the tip. */
  const mine = async (blocks: number) => {
    let tipWei = 0n;
    for (let block = 0; block < blocks; block += 1) {
      await node.control.mine();
      tipWei = await tip.after(await client.getBlock(), false);
    }
    return tipWei;
  };
  const send = async (index: number, maxPriorityFeePerGas: bigint) => {
    const fees = { ...ENOUGH, maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas };
    const raw = await signedTransfer(node, index, { nonce: 0, ...fees });
    return rpc<Hex>(node.rpcUrl, 'eth_sendRawTransaction', raw);
  };
  const isMined = async (hash: Hex) => (await rpc<unknown>(node.rpcUrl, 'eth_getTransactionReceipt', hash)) !== null;
  return { mine, send, isMined };
}

it('includes a tipped transaction in crowded blocks', async () => {
  const { mine, send, isMined } = await crowdedNode();
  const starved = await send(1, 0n);
  const tipWei = await mine(6);
  expect(await isMined(starved)).toBe(false);
  expect(tipWei).toBe((2n * GWEI * 9n) / 8n);
  const offered = await send(2, tipWei);
  await mine(1);
  expect(await isMined(offered)).toBe(true);
});
