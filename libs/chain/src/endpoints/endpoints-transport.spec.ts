import { keccak256 } from 'viem';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { broadcastToAll, createChainClient, hostsOf, witnessesOf } from '../client.ts';
import { networkOf } from '../networks.ts';
import { rpcRequestOf } from '../scanner/rpc-request.ts';
import type { EndpointState } from './endpoint.ts';
import type { EndpointsOptions } from './endpoints-transport.ts';
import { type FaultOf, FaultyNode } from './faulty-node.fixture.ts';

// Real servers and real pauses, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

/** Longest wait for an answer, where every node answers: long, so that a busy machine does not look like a silent node. */
const PATIENCE_MS = 10_000;
/** Longest wait where a node is silent. */
const IMPATIENCE_MS = 500;

const nodes: FaultyNode[] = [];
afterAll(() => Promise.all(nodes.map((node) => node.stop())));

async function start(count: number): Promise<FaultyNode[]> {
  const started = await Promise.all(Array.from({ length: count }, () => FaultyNode.start()));
  nodes.push(...started);
  return started;
}

async function startTwo(): Promise<readonly [FaultyNode, FaultyNode]> {
  const two = await Promise.all([FaultyNode.start(), FaultyNode.start()]);
  nodes.push(...two);
  return two;
}

/** A client, and the reports about its endpoints. */
function client(endpoints: readonly FaultyNode[], options: Partial<EndpointsOptions> = {}) {
  const states: [number, EndpointState][] = [];
  const made = createChainClient({
    network: networkOf(31_337),
    rpcUrls: endpoints.map(({ url }) => url),
    timeoutMs: PATIENCE_MS,
    retryCount: 0,
    onEndpointState: (position, state) => states.push([position, state]),
    ...options,
  });
  const request = rpcRequestOf(made);
  // viem's own getBlockNumber answers from memory.
  return { request, states, made, chain: { head: async () => Number(await request(NEWEST)) } };
}

const block = (number: number) =>
  ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, true] }) as const;
const NEWEST = { method: 'eth_blockNumber', params: [] } as const;
const MINED = `0x${'01'.repeat(32)}` as const;
const RECEIPT = { method: 'eth_getTransactionReceipt', params: [MINED] } as const;
const CALL = { method: 'eth_call', params: [{ data: '0x' }, 'latest'] } as const;
const BROADCAST = { method: 'eth_sendRawTransaction', params: ['0x02'] } as const;

describe('an endpoint of another chain', () => {
  it('answers only its chain id before that', async () => {
    const [wrong, right] = await startTwo();
    wrong.fault = ({ method }) => (method === 'eth_chainId' ? { result: '0x3e7' } : undefined);
    const { chain, request, states } = client([wrong, right]);
    await chain.head();
    await request(BROADCAST);
    await request(RECEIPT);
    expect(wrong.methods).toEqual(['eth_chainId']);
    expect(states.filter(([position]) => position === 0)).toEqual([[0, 'wrong_chain']]);
  });

  it('reports an error of a sole endpoint unchanged', async () => {
    const [wrong] = await start(1);
    if (!wrong) throw new Error('a node');
    wrong.fault = () => ({ result: '0x3e7' });
    const { chain } = client([wrong]);
    await expect(chain.head()).rejects.toMatchObject({ code: 'WRONG_CHAIN' });
    await expect(chain.head()).rejects.toMatchObject({ code: 'WRONG_CHAIN' });
    expect(wrong.methods).toEqual(['eth_chainId']);
  });

  it('is verified after an outage before any use', async () => {
    const [node, other] = await startTwo();
    const { chain } = client([node, other], { checkIntervalMs: 3_600_000 });
    await chain.head();
    node.fault = () => ({ status: 503 });
    for (let failures = 0; failures < 3; failures += 1) await chain.head();
    node.calls.length = 0;
    node.fault = ({ method }) => (method === 'eth_chainId' ? { result: '0x3e7' } : undefined);
    await expect
      .poll(
        async () => {
          await chain.head();
          return node.methods;
        },
        { timeout: 10_000 },
      )
      .toEqual(['eth_chainId']);
  });
});

describe('an endpoint that fails', () => {
  // Each has its own nodes, and waits for a pause.
  it.concurrent.for([
    ['answers with a status of 500', { status: 500 }],
    ['answers half and stops', { half: '{"jsonrpc":"2.0","id":1,"resu' }],
    ['never answers', 'silence'],
    ['answers without a result', { result: undefined }],
    ['has internal errors', { error: { code: -32603, message: 'internal' } }],
  ] as const)('that %s is rested and used again later', async ([, fault], { expect }) => {
    const [first, second] = await startTwo();
    const { chain, states } = client([first, second], { checkIntervalMs: 3_600_000, timeoutMs: IMPATIENCE_MS });
    await chain.head();
    first.fault = () => fault;
    for (let failures = 0; failures < 3; failures += 1) expect(await chain.head()).toBe(100);
    expect(states.at(-1)).toEqual([0, 'failing']);
    const askedWhileWell = first.calls.length;
    await chain.head();
    expect(first.calls.length).toBe(askedWhileWell);
    first.fault = () => undefined;
    await expect
      .poll(
        async () => {
          await chain.head();
          return states.at(-1);
        },
        { timeout: 10_000 },
      )
      .toEqual([0, 'serving']);
  });

  it('is used without an alternative', async () => {
    const [only] = await start(1);
    if (!only) throw new Error('a node');
    const { chain } = client([only]);
    await chain.head();
    only.fault = () => ({ status: 502 });
    for (let failures = 0; failures < 5; failures += 1) await expect(chain.head()).rejects.toThrow();
    only.fault = () => undefined;
    expect(await chain.head()).toBe(100);
  });
});

describe('a correct answer of an endpoint', () => {
  const aboveHead =
    (node: FaultyNode): FaultOf =>
    ({ method, params }) =>
      method === 'eth_getBlockByNumber' && Number(params[0]) > node.head
        ? { error: { code: -32_603, message: `invalid block height: ${Number(params[0])}` } }
        : undefined;

  it('treats an error above the head as null', async () => {
    const [strict, other] = await startTwo();
    for (const node of [strict, other]) node.fault = aboveHead(node);
    const { request, states } = client([strict, other], { checkIntervalMs: 3_600_000, retryCount: 1 });
    await request(NEWEST);
    const before = strict.calls.length;
    for (let asked = 0; asked < 10; asked += 1) expect(await request(block(101))).toBeNull();
    expect(strict.calls.length).toBe(before + 10);
    expect(states.map(([, state]) => state)).not.toContain('failing');
  });

  it('distrusts a lagging endpoint about a missing block', async () => {
    const [ahead, behind] = await startTwo();
    behind.head = 98;
    for (const node of [ahead, behind]) node.fault = aboveHead(node);
    const { request } = client([ahead, behind]);
    expect(await request(NEWEST)).toBe('0x64');
    ahead.fault = () => ({ status: 500 });
    await expect(request(block(100))).rejects.toMatchObject({ code: 'BLOCK_NOT_THERE_YET' });
  });

  it.each([
    ['a refused broadcast', BROADCAST, -32_603, 'nonce too low: next nonce 5, tx nonce 4'],
    ['a refused broadcast', BROADCAST, -32_603, 'replacement transaction underpriced'],
    ['a refused broadcast', BROADCAST, -32_000, 'insufficient funds for gas * price + value'],
    ['a refused broadcast, in unknown words', BROADCAST, -32_603, 'not like this'],
    ['a call that asks for too much', CALL, -32_603, 'out of gas'],
    ['a call that fails in unknown words', CALL, -32_603, 'not like this'],
  ] as const)('%s is not its fault (design § 5)', async (_what, call, code, message) => {
    const [only] = await start(1);
    if (!only) throw new Error('a node');
    only.fault = ({ method }) => (method === call.method ? { error: { code, message } } : undefined);
    const { chain, request, states } = client([only]);
    for (let asked = 0; asked < 5; asked += 1) await expect(request(call)).rejects.toThrow();
    await chain.head();
    expect(states).toEqual([[0, 'serving']]);
  });
});

describe('an endpoint that refuses calls without a recipient', () => {
  it('is tried once, then replaced by the next', async () => {
    const [refusing, taking] = await startTwo();
    const { request, states } = client([refusing, taking], { checkIntervalMs: 3_600_000 });
    refusing.fault = ({ method, params }) =>
      method === 'eth_call' && !(params[0] as { to?: string }).to
        ? { error: { code: -32_602, message: 'invalid params: missing field `to`' } }
        : undefined;
    for (let asked = 0; asked < 5; asked += 1) expect(await request(CALL)).toBe('0x');
    expect(refusing.methods.filter((method) => method === CALL.method)).toHaveLength(1);
    const to = `0x${'ca'.repeat(20)}`;
    const withRecipient = { method: 'eth_call', params: [{ to, data: '0x' }, 'latest'] } as const;
    expect(await request(withRecipient)).toBe('0x');
    expect(refusing.methods.filter((method) => method === CALL.method)).toHaveLength(2);
    expect(states.map(([, state]) => state)).not.toContain('failing');
  });
});

describe('endpoints that differ', () => {
  it('uses none that lags or has another history', async () => {
    const [lagging, forked, honest, fourth] = await start(4);
    if (!lagging || !forked || !honest || !fourth) throw new Error('four nodes');
    lagging.head = 60;
    lagging.fault = ({ method }) => (method === 'eth_chainId' ? undefined : old(lagging, method));
    forked.branch = 'bb';
    const { chain, states } = client([lagging, forked, honest, fourth]);
    for (let asked = 0; asked < 5; asked += 1) expect(await chain.head()).toBe(100);
    expect(honest.methods.filter((method) => method === 'eth_blockNumber')).toHaveLength(5);
    expect(states).toContainEqual([0, 'lagging']);
    expect(states).toContainEqual([1, 'forked']);
  });

  /** The small chain's newest block has the current time; a stopped node shows an old one. */
  function old(node: FaultyNode, method: string) {
    if (method !== 'eth_getBlockByNumber') return undefined;
    const seconds = Math.floor(Date.now() / 1000) - 40;
    const hash = `0xaa${node.head.toString(16).padStart(62, '0')}`;
    const header = { number: `0x${node.head.toString(16)}`, hash, timestamp: `0x${seconds.toString(16)}` };
    return { result: { ...node.block(node.head), ...header } };
  }
});

describe('answers of different age', () => {
  it('never goes back in time between endpoints', async () => {
    const [ahead, behind] = await startTwo();
    behind.head = 98;
    const { request } = client([behind, ahead]);
    behind.fault = () => ({ status: 500 });
    expect(await request(NEWEST)).toBe('0x64');
    behind.fault = () => undefined;
    await expect.poll(() => request(NEWEST), { timeout: 5000 }).toBe('0x64');
    expect(await request(block(100))).toMatchObject({ number: '0x64' });
  });

  it('never goes back in time between two nodes', async () => {
    const [name] = await start(1);
    if (!name) throw new Error('a node');
    const { request } = client([name]);
    const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] } as const;
    const heads: number[] = [];
    for (const head of [98, 99, 98, 100, 99, 98, 101, 100]) {
      name.head = head;
      expect(Number(await request(NEWEST))).toBeGreaterThanOrEqual(heads.at(-1) ?? 0);
      heads.push(Number(((await request(latest)) as { number: string }).number));
    }
    expect(heads).toEqual([98, 99, 99, 100, 100, 100, 101, 101]);
    name.branch = 'bb';
    expect(await request(latest)).toMatchObject({ number: '0x64', hash: expect.stringContaining('0xbb') });
  });

  it('never reports a block absent from a lagging endpoint', async () => {
    const [ahead, behind] = await startTwo();
    behind.head = 98;
    const { request } = client([ahead, behind]);
    expect(await request(NEWEST)).toBe('0x64');
    ahead.fault = () => ({ status: 500 });
    await expect(request(block(100))).rejects.toMatchObject({ code: 'BLOCK_NOT_THERE_YET' });
    // No endpoint has the next block, which is no reason to doubt.
    expect(await request(block(101))).toBeNull();
  });

  it('queries every endpoint before reporting no transaction', async () => {
    const [behind, ahead] = await startTwo();
    const party = `0x${'ca'.repeat(20)}`;
    const place = { transactionHash: MINED, blockHash: `0x${'02'.repeat(32)}`, blockNumber: '0x1' };
    const receipt = {
      ...place,
      status: '0x1',
      from: party,
      to: party,
      gasUsed: '0x1',
      effectiveGasPrice: '0x1',
      logs: [],
    };
    ahead.fault = ({ method }) => (method === RECEIPT.method ? { result: receipt } : undefined);
    const { request } = client([behind, ahead]);
    expect(await request(RECEIPT)).toEqual(receipt);
    ahead.fault = () => undefined;
    expect(await request(RECEIPT)).toBeNull();
  });

  it('reports pruned blocks from an up-to-date endpoint', async () => {
    const [pruned] = await start(1);
    if (!pruned) throw new Error('a node');
    pruned.fault = ({ method, params }) =>
      method === 'eth_getBlockByNumber' && Number(params[0]) < 50 ? { result: null } : undefined;
    const { request } = client([pruned]);
    await request(NEWEST);
    expect(await request(block(10))).toBeNull();
  });
});

describe('broadcasts', () => {
  it('go to the next endpoint when one fails or refuses', async () => {
    const [first, second] = await startTwo();
    const { request } = client([first, second]);
    for (const fault of [{ status: 500 }, { error: { code: -32000, message: 'insufficient funds for gas' } }]) {
      first.fault = ({ method }) => (method === BROADCAST.method ? fault : undefined);
      expect(await request(BROADCAST)).toBe(keccak256('0x02'));
    }
  });

  it('are known when any endpoint has them', async () => {
    const [silent, knowing] = await startTwo();
    const { request } = client([silent, knowing], { timeoutMs: IMPATIENCE_MS });
    silent.fault = ({ method }) => (method === BROADCAST.method ? 'silence' : undefined);
    knowing.fault = ({ method }) =>
      method === BROADCAST.method ? { error: { code: -32000, message: 'already known' } } : undefined;
    await expect(request(BROADCAST)).rejects.toThrow(/already known/);
  });
});

describe('limits', () => {
  it('rests for Retry-After and uses the next endpoint', async () => {
    const [limited, other] = await startTwo();
    const { chain, states } = client([limited, other], { checkIntervalMs: 3_600_000 });
    await chain.head();
    limited.fault = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    const before = limited.calls.length;
    for (let asked = 0; asked < 5; asked += 1) await chain.head();
    expect(limited.calls.length).toBe(before + 1);
    expect(states.at(-1)).toEqual([0, 'resting']);
  });

  it('sends a resting sole endpoint nothing', async () => {
    const [limited] = await start(1);
    if (!limited) throw new Error('a node');
    const { chain } = client([limited], { retryCount: 1 });
    await chain.head();
    limited.fault = ({ atMs }) => {
      const first = limited.calls.filter(({ method }) => method === 'eth_blockNumber')[1];
      return atMs - (first?.atMs ?? atMs) < 900 ? { status: 429, headers: { 'retry-after': '1' } } : undefined;
    };
    expect(await chain.head()).toBe(100);
    const [, refused, accepted] = limited.calls.filter(({ method }) => method === 'eth_blockNumber');
    expect((accepted?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(900);
  });

  it('sends no endpoint more than its limit', async () => {
    const [limited, other] = await startTwo();
    const limits = [{ requests: 20, perMs: 60_000 }, undefined];
    const { chain } = client([limited, other], { limits, checkIntervalMs: 3_600_000 });
    await Promise.all(Array.from({ length: 100 }, () => chain.head()));
    expect(limited.calls.length).toBeGreaterThan(5);
    expect(limited.calls.length).toBeLessThanOrEqual(20);
    expect(other.methods.filter((method) => method === 'eth_blockNumber').length).toBeGreaterThanOrEqual(80);
  });

  it('never exceeds a real server’s limit in any span', async () => {
    const limit = { requests: 100, perMs: 1000 };
    const limited = await FaultyNode.start(undefined, limit);
    nodes.push(limited);
    const { chain } = client([limited], { limits: [limit], timeoutMs: 5000 });
    await Promise.all(Array.from({ length: 250 }, () => chain.head()));
    expect(limited.refused).toBe(0);
    expect(limited.mostWithin(1000)).toBeLessThanOrEqual(100);
    expect(limited.calls.length).toBe(251);
  });
});

describe('hosts excluded by the first one (docs/adr/0116)', () => {
  it('are witnesses, and receive every broadcast', async () => {
    const [liar, honest] = await startTwo();
    liar.branch = 'bb';
    const { chain, made, states } = client([liar, honest]);
    await chain.head();
    expect(states).toContainEqual([1, 'forked']);
    expect(hostsOf(made)).toHaveLength(1);
    expect(new Set(witnessesOf(made).map(({ origin }) => origin))).toEqual(new Set([liar.url, honest.url]));
    await broadcastToAll(made, '0x02');
    expect([liar, honest].map(({ methods }) => methods.at(-1))).toEqual([BROADCAST.method, BROADCAST.method]);
  });

  it('are enough where one accepts the bytes', async () => {
    const [deaf, honest] = await startTwo();
    const refuse: FaultOf = ({ method }) =>
      method === BROADCAST.method ? { error: { code: -32_000, message: 'nonce too low' } } : undefined;
    deaf.fault = refuse;
    const { chain, made } = client([deaf, honest]);
    await chain.head();
    await broadcastToAll(made, '0x02');
    honest.fault = refuse;
    await expect(broadcastToAll(made, '0x02')).rejects.toThrow('nonce too low');
  });
});
