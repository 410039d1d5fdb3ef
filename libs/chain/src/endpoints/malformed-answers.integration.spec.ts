import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RIGHT_ANSWERS, type RightAnswer, wrongResults } from '../answers/wire-answers.fixture.ts';
import { createChainClient, hostCountOf } from '../client.ts';
import { networkOf } from '../networks.ts';
import { rpcRequestOf } from '../scanner/rpc-request.ts';
import type { EndpointState } from './endpoint.ts';
import { type Fault, FaultyNode } from './faulty-node.fixture.ts';
import type { RequestOutcome } from './request-outcome.ts';

const IMPATIENCE_MS = 500;

let first: FaultyNode;
let second: FaultyNode;
beforeAll(async () => {
  [first, second] = [await FaultyNode.start(), await FaultyNode.start()];
  // One of the right answers is the block with number 1, at another time than this test's.
  for (const node of [first, second]) node.head = 1;
});
afterEach(() => recover());
afterAll(() => Promise.all([first.stop(), second.stop()]));

function recover(): void {
  for (const node of [first, second]) node.fault = () => undefined;
}

/** A client of both endpoints, checked once, and the failed attempts at each. */
async function checkedClient(timeoutMs = 10_000) {
  const failed: number[] = [];
  const states: [number, EndpointState][] = [];
  const client = createChainClient({
    network: networkOf(31_337),
    rpcUrls: [first.url, second.url],
    timeoutMs,
    retryCount: 0,
    checkIntervalMs: 3_600_000,
    onRequest: (_method: string, outcome: RequestOutcome, _ms, position) => {
      if (outcome === 'error' || outcome === 'timeout') failed.push(position);
    },
    onEndpointState: (position, state) => states.push([position, state]),
  });
  const request = rpcRequestOf(client);
  await request({ method: 'eth_chainId', params: [] });
  return { client, request, failed, states };
}

const answering = (node: FaultyNode, { method, result }: RightAnswer) => {
  node.fault = (call) => (call.method === method ? { result } : undefined);
};

describe.each(RIGHT_ANSWERS)('a wrong answer to $method of $params', (right) => {
  const { method, params, result } = right;

  it('counts against its endpoint, and the next one answers', async () => {
    for (const [what, wrong] of everyHundredth([...wrongResults(right)])) {
      recover();
      const { request, failed } = await checkedClient();
      answering(second, right);
      first.fault = (call) => (call.method === method ? { result: wrong } : undefined);
      expect(await request({ method, params }), what).toEqual(result);
      expect(failed, what).toEqual([0]);
    }
  });
});

/** Few of many: the unit spec judges each of them. */
function everyHundredth<Item>(items: readonly Item[]): Item[] {
  return items.filter((_, index) => index % Math.ceil(items.length / 10) === 0);
}

describe('an endpoint whose answers are no answers', () => {
  const right = RIGHT_ANSWERS[1] as RightAnswer;
  const envelope = (more: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...more });

  it.each<[what: string, fault: Fault]>([
    ['lists', { body: '[]' }],
    ['another id', { body: envelope({ id: 999, result: '0x1' }) }],
    ['a result and an error', { body: envelope({ result: '0x1', error: { code: 3, message: 'reverted' } }) }],
    ['an error without a code', { body: envelope({ error: { message: 'execution reverted' } }) }],
    ['half of JSON', { body: '{"jsonrpc":"2.0","id":1,"result":"0x' }],
    ['too long answers', { body: envelope({ result: '0x'.padEnd(100_000, '1') }) }],
    ['answers that never end', { half: '{"jsonrpc":"2.0","id":1,"resu' }],
  ])('is left for the next one, and rests: %s', async (_, fault) => {
    const { request, failed, states } = await checkedClient(IMPATIENCE_MS);
    answering(second, right);
    first.fault = () => fault;
    for (let asked = 0; asked < 3; asked += 1) expect(await request(right)).toBe(right.result);
    expect(failed).toEqual([0, 0, 0]);
    expect(states.at(-1)).toEqual([0, 'failing']);
    await request(right);
    expect(failed, 'it is not asked again').toEqual([0, 0, 0]);
  });

  it('is not of another chain', async () => {
    first.fault = () => ({ result: {} });
    const { states } = await checkedClient();
    expect(states.map(([, state]) => state)).not.toContain('wrong_chain');
  });
});

it('counts two ports of one host as one host', async () => {
  const client = createChainClient({
    network: networkOf(31_337),
    rpcUrls: ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'http://127.0.0.2:1'],
  });
  expect(hostCountOf(client)).toBe(2);
});
