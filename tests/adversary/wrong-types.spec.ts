import type { RunningStack } from '@maker/local-stack';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FaultyNode } from '../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { faultsOfEndpoints } from '../support/endpoint-faults.ts';
import { keepLogs } from '../support/keep-logs.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';

const HASH = `0x${'ab'.repeat(32)}`;

/** Well-formed JSON that is no answer to any method. */
const WRONG_TYPES = [
  {},
  [],
  'zz',
  -1,
  true,
  [[[[]]]],
  { number: Number.NaN, hash: HASH, timestamp: 'zz' },
  { number: '0xzz', hash: HASH, parentHash: HASH, timestamp: '0x1', transactions: [{ hash: 'word', value: 'zz' }] },
  { number: '0x1', hash: HASH, parentHash: HASH, timestamp: '0x1', transactions: null },
];

const WINDOW_SECONDS = 15;
/** Longest time from a payment to its detection, where both endpoints are well. */
const DETECTED_MS = 15_000;
const ENDED_MS = 150_000;

let endpoints: [FaultyNode, FaultyNode];
let running: RunningStack;
let product: ProductClient;

/** Makes one of the endpoints answer wrongly, and the other one correctly. */
function spoil(position: 0 | 1): void {
  let answered = 0;
  for (const endpoint of endpoints) endpoint.fault = () => undefined;
  endpoints[position].fault = () => {
    answered += 1;
    return { result: WRONG_TYPES[answered % WRONG_TYPES.length] };
  };
}

beforeAll(async () => {
  endpoints = [await FaultyNode.start(), await FaultyNode.start()];
  spoil(0);
  const reach = async (server: string, port: number) => {
    if (server === 'chain') for (const one of endpoints) one.upstream = `http://127.0.0.1:${port}`;
    return port;
  };
  const both = { CHAIN_RPC_URLS: endpoints.map(({ url }) => url).join() };
  const services = { 'token-validation': both, 'payment-watcher': both, 'maker-executor': both };
  running = await startOwnStack(WINDOW_SECONDS, services, {}, { reach });
  product = new ProductClient({ ...running.stack, rpcUrl: running.stack.chainControlUrl });
}, 300_000);

beforeEach(({ onTestFailed }) => onTestFailed(() => keepLogs(running, 'adversary/wrong-types')));

afterAll(async () => {
  await running?.stop();
  await Promise.all(endpoints.map((endpoint) => endpoint.stop()));
});

describe('an endpoint that answers everything with wrong types', () => {
  it.each([
    ['first', 0],
    ['second', 1],
  ] as const)('stops no payment and no job as the %s', { timeout: ENDED_MS + 60_000 }, async (_, position) => {
    spoil(position);
    const { jobId, paymentAddress } = await product.createJob(running.stack.tokens.both, 0.25);
    await product.pay(paymentAddress, '0.25');
    await until(
      'detection',
      () => product.payment(jobId),
      ({ status }) => status === 'active',
      { timeoutMs: DETECTED_MS },
    );
    expect(await product.ended(jobId, { timeoutMs: ENDED_MS })).toMatchObject({ status: 'completed' });
    expect(await faultsOfEndpoints(running.stack)).toBeGreaterThan(0);
  });
});
