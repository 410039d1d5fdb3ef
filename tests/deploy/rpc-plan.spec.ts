import { beforeAll, expect, it } from 'vitest';
import { findTool } from '../../tools/go-tool.ts';
import { render, type Values } from './chart.ts';
import { environmentOf } from './service-environments.ts';

// The first use builds it, which takes minutes.
beforeAll(() => findTool('helm'));

/** Requests a minute that a job of 1000 HYPE needs. */
const LARGEST_JOB = 250;

const requests = async (values: Values) =>
  Number(environmentOf(await render({ values }), 'job').JOB_ORDER_REQUESTS_PER_MINUTE);

it.each<[string, Values, number]>([
  ['two fifths of the plan', { chain: { rpcRequestsPerMinute: [600] } }, 240],
  [
    'of all plans together',
    { rpc: { urls: ['https://a.example', 'https://b.example'] }, chain: { rpcRequestsPerMinute: [600, 300] } },
    360,
  ],
  [
    'the limit of the public endpoint',
    { rpc: { urls: ['https://rpc.hyperliquid.xyz/evm'] }, paymentWatcher: { trustSingleEndpoint: true } },
    40,
  ],
  ['two orders a second without a limit', { chain: { rpcRequestsPerMinute: [0] } }, 360],
  ['your value', { chain: { rpcRequestsPerMinute: [600] }, job: { capacity: { orderRequestsPerMinute: 100 } } }, 100],
])('gives orders %s', async (_what, values, expected) => {
  expect(await requests(values)).toBe(expected);
});

it('carries the largest job by default', async () => {
  expect(await requests({})).toBeGreaterThanOrEqual(LARGEST_JOB);
});
