import type { Address } from 'viem';
import { afterAll, expect, it, vi } from 'vitest';
import { type OwnNode, startOwnNode } from '../../../hyperevm-node/src/own-node.fixture.ts';
import { createChainClient } from '../client.ts';
import { networkOf } from '../networks.ts';
import { BalanceReader } from '../scanner/balance-reader.ts';
import { scanBlocks } from '../scanner/block-scanner.ts';
import { rpcRequestOf } from '../scanner/rpc-request.ts';
import { WatchedAddresses } from '../scanner/watched-addresses.ts';
import type { EndpointState } from './endpoint.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

const nodes: OwnNode[] = [];
afterAll(() => Promise.all(nodes.map((node) => node.stop())));

/** A client of one node by several endpoints, and the reported states of all of them. */
async function strictNode(options: Parameters<typeof startOwnNode>[0] = {}, endpoints = 1) {
  const node = await startOwnNode(options);
  nodes.push(node);
  const states = new Set<EndpointState>();
  const client = createChainClient({
    network: networkOf(31_337),
    rpcUrls: Array.from({ length: endpoints }, () => node.rpcUrl),
    onEndpointState: (_position, state) => states.add(state),
  });
  return { request: rpcRequestOf(client), states };
}

// Each test has its own node, and waits for its blocks.
it.concurrent.each([1, 2])('scans %i strict endpoints at the head without faults', async (endpoints) => {
  const { request, states } = await strictNode({ blockMs: 100 }, endpoints);
  const end = new AbortController();
  const numbers: number[] = [];
  const scan = scanBlocks({ request, watched: new WatchedAddresses(), after: [], signal: end.signal });
  for await (const event of scan) {
    if (event.kind === 'block') numbers.push(event.block.number);
    else throw new Error(event.kind);
    if (numbers.length === 60) end.abort();
  }
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => (numbers[0] ?? 0) + index));
  expect([...states]).toEqual(['serving']);
});

it.concurrent('scans forward across two nodes behind one name', async () => {
  const { request, states } = await strictNode({ blockMs: 100, switches: { secondNodeBehindMs: 60 } });
  const end = new AbortController();
  const kinds = new Set<string>();
  let blocks = 0;
  const scan = scanBlocks({ request, watched: new WatchedAddresses(), after: [], signal: end.signal });
  for await (const event of scan) {
    kinds.add(event.kind);
    blocks += 1;
    if (blocks === 60) end.abort();
  }
  expect([...kinds]).toEqual(['block']);
  expect([...states]).toEqual(['serving']);
});

it.concurrent('reads balances without recipient-less calls', async () => {
  const { request, states } = await strictNode({ switches: { refuseDeploylessCalls: true } });
  const unowned: Address = `0x${'6e'.repeat(20)}`;
  const [reading] = await new BalanceReader(request).read([unowned]);
  expect(reading?.addresses).toEqual([unowned]);
  expect([...states]).toEqual(['serving']);
});
