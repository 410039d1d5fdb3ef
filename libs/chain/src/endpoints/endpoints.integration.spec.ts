import { type ChainPart, chainTestClient, startChain } from '@maker/local-stack';
import { type Address, createWalletClient, type Hash, http, numberToHex, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createChainClient } from '../client.ts';
import { networkOf, viemChain } from '../networks.ts';
import { scanBlocks } from '../scanner/block-scanner.ts';
import { rpcRequestOf } from '../scanner/rpc-request.ts';
import type { ScanEvent } from '../scanner/scan-events.ts';
import { WatchedAddresses } from '../scanner/watched-addresses.ts';
import { readHeadNumber } from '../scanner/wire-block.ts';
import type { EndpointState } from './endpoint.ts';
import { FaultyNode } from './faulty-node.fixture.ts';

const PAID: Address = `0x${'cd'.repeat(20)}`;
const STRANGER: Address = `0x${'ee'.repeat(20)}`;
const SOON = { timeout: 15_000, interval: 50 };
const NEWEST = { method: 'eth_getBlockByNumber', params: ['latest', false] } as const;

/** Real nodes that mined the same blocks, and so have the same chain until a test changes one of them. */
let nodes: [ChainPart, ChainPart, ChainPart];
/** Time of the newest block that all nodes mined, s; the checks use it as the current time. */
let chainSeconds = 0;

function call<Result>(node: ChainPart, method: string, params: unknown[] = []): Promise<Result> {
  return chainTestClient(node.rpcUrl).request({ method, params } as never) as Promise<Result>;
}

const newest = (node: ChainPart) =>
  call<{ number: string; hash: Hash; timestamp: string }>(node, NEWEST.method, [...NEWEST.params]);

/** Mines the same blocks at some nodes. */
async function mine(blocks: number, those: readonly ChainPart[]): Promise<void> {
  for (let block = 0; block < blocks; block += 1) {
    chainSeconds += 1;
    for (const node of those) await call(node, 'evm_mine', [numberToHex(chainSeconds)]);
  }
}

/** Replaces a node's newest blocks by others. */
async function fork(node: ChainPart, depth: number): Promise<void> {
  const head = await newest(node);
  await call(node, 'anvil_rollback', [depth]);
  await call(node, 'anvil_setCoinbase', [STRANGER]);
  for (let block = depth - 1; block >= 0; block -= 1) {
    await call(node, 'evm_mine', [numberToHex(Number(head.timestamp) - block)]);
  }
  await call(node, 'anvil_setCoinbase', [`0x${'00'.repeat(20)}`]);
}

async function pay(node: ChainPart): Promise<Hash> {
  const wallet = createWalletClient({
    account: privateKeyToAccount(node.accounts[5]?.privateKey ?? '0x'),
    chain: viemChain(networkOf(31_337)),
    transport: http(node.rpcUrl),
  });
  return wallet.sendTransaction({ to: PAID, value: parseEther('1') });
}

/** A client of some endpoints, and its last report about each. */
function clientOf(rpcUrls: readonly string[]) {
  const states = new Map<number, EndpointState>();
  const client = createChainClient({
    network: networkOf(31_337),
    rpcUrls,
    timeoutMs: 2000,
    checkIntervalMs: 0,
    onEndpointState: (position, state) => states.set(position, state),
  });
  const request = rpcRequestOf(client);
  /** The newest block, after the due check. */
  const head = async () => (await request(NEWEST)) as Awaited<ReturnType<typeof newest>>;
  /** The reported state of an endpoint, after the due check. */
  const stateAfterSearch = async (position: number) => {
    await head();
    return states.get(position);
  };
  return { client, states, request, head, stateAfterSearch };
}

/** Starts nodes in the same second: a node's first block has the second of its start. Restarts nodes of different seconds. */
async function startAlike(): Promise<typeof nodes> {
  const start = () => startChain({ exchanges: false, blockSeconds: 0 });
  for (;;) {
    const started = await Promise.all([start(), start(), start()]);
    if (new Set((await Promise.all(started.map(newest))).map(({ hash }) => hash)).size === 1) return started;
    await Promise.all(started.map((node) => node.stop()));
  }
}

beforeAll(async () => {
  nodes = await startAlike();
  chainSeconds = Number((await newest(nodes[0])).timestamp) + 10;
  vi.spyOn(Date, 'now').mockImplementation(() => chainSeconds * 1000);
  await mine(20, nodes);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all(nodes.map((node) => node.stop()));
});

describe('real nodes that differ', () => {
  it('skips a stalled node until it catches up', async () => {
    const { states, head, stateAfterSearch } = clientOf(nodes.map(({ rpcUrl }) => rpcUrl));
    const heights = [Number((await head()).number)];
    await mine(12, nodes.slice(1));
    await expect
      .poll(async () => {
        heights.push(Number((await head()).number));
        return states.get(0);
      }, SOON)
      .toBe('lagging');
    heights.push(Number((await head()).number));
    expect(heights.at(-1)).toBe(Number((await newest(nodes[1])).number));
    expect(heights).toEqual(heights.toSorted((one, other) => one - other));

    chainSeconds -= 12;
    await mine(12, [nodes[0]]);
    await expect.poll(() => stateAfterSearch(0), SOON).toBe('serving');
  });

  it('rejects one of three with another history', async () => {
    const { head, stateAfterSearch } = clientOf(nodes.map(({ rpcUrl }) => rpcUrl));
    await head();
    await fork(nodes[0], 6);
    await expect.poll(() => stateAfterSearch(0), SOON).toBe('forked');
    expect((await head()).hash).toBe((await newest(nodes[1])).hash);
  });

  it('rejects the second of two with its payments', async () => {
    const [forked, honest] = nodes;
    const { states, request, head } = clientOf([honest.rpcUrl, forked.rpcUrl]);
    const payment = await pay(forked);
    await mine(5, [forked]);
    chainSeconds -= 5;
    await mine(5, nodes.slice(1));
    await head();
    expect(states.get(1)).toBe('forked');
    expect(await call(forked, 'eth_getTransactionReceipt', [payment])).not.toBeNull();
    expect(await request({ method: 'eth_getTransactionReceipt', params: [payment] })).toBeNull();
  });
});

describe('a scan across endpoints', () => {
  it('loses no payment when the newest endpoint fails', async () => {
    const [, ahead, behind] = nodes;
    const [first, second] = [await FaultyNode.start(ahead.rpcUrl), await FaultyNode.start(behind.rpcUrl)];
    const { request } = clientOf([first.url, second.url]);
    const watched = new WatchedAddresses();
    watched.add(PAID);
    const end = new AbortController();
    const events: ScanEvent[] = [];
    const from = Number((await newest(ahead)).number);
    const scan = async () => {
      for (;;) {
        const blocks = events.flatMap((event) => (event.kind === 'block' ? event.block : []));
        try {
          for await (const event of scanBlocks({ request, watched, after: blocks, signal: end.signal }))
            events.push(event);
          return;
        } catch {
          // Like payment-watcher: start again from the cursor.
        }
      }
    };
    const scanning = scan();
    const scanned = () => events.map((event) => (event.kind === 'block' ? event.block.number : event.kind));
    await expect.poll(scanned, SOON).toContain(from);

    const payment = await pay(ahead);
    await mine(3, [ahead]);
    expect(await readHeadNumber(request)).toBe(from + 3);
    first.fault = () => ({ status: 502 });
    // The other node gets the same blocks later: the payment reaches it like any transaction.
    const asked = second.calls.length;
    await expect.poll(() => second.calls.length, SOON).toBeGreaterThan(asked + 20);
    expect(await pay(behind)).toBe(payment);
    chainSeconds -= 3;
    await mine(3, [behind]);
    await expect.poll(scanned, SOON).toContain(from + 3);
    end.abort();
    await scanning;
    await Promise.all([first.stop(), second.stop()]);

    expect(scanned()).toEqual(Array.from({ length: 4 }, (_, index) => from + index));
    const transfers = events.flatMap((event) => (event.kind === 'block' ? event.transfers : []));
    expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([payment]);
  });

  it('continues at the other endpoint when one dies', async () => {
    const [, dying, living] = nodes;
    const { head } = clientOf([dying.rpcUrl, living.rpcUrl]);
    const before = await head();
    await dying.kill();
    await mine(1, [living]);
    await expect.poll(async () => Number((await head()).number), SOON).toBe(Number(before.number) + 1);
  });
});
