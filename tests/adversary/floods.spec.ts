import { randomBytes } from 'node:crypto';
import type { RunningStack } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { Actor } from './actor.ts';

/** The flooder's address, as the proxy reports it; the visitor has another. */
const FLOODER = '203.0.113.7';
const VISITOR = '198.51.100.9';
const PAID = '0.15';
const JOB_MS = 300_000;

const MOST_REQUESTS = 100;
const MOST_UNKNOWN_TOKENS = 10;
const MOST_UNPAID_JOBS = 10;
const MOST_CHANNELS = 20;

let running: RunningStack;
let product: ProductClient;
let token: Address;

beforeAll(async () => {
  running = await startOwnStack(40, {
    job: { MINIMUM_PAYMENT_HYPE: PAID, JOB_MOST_UNPAID_JOBS_PER_CLIENT: String(MOST_UNPAID_JOBS) },
    'api-gateway': {
      HTTP_TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_REQUESTS: String(MOST_REQUESTS),
    },
  });
  product = new ProductClient({ ...running.stack, rpcUrl: running.stack.chainControlUrl });
  token = running.stack.tokens.both as Address;
}, 300_000);

afterAll(() => running?.stop());

const from = (client: string): Record<string, string> => ({ 'x-forwarded-for': client });

/** Creates and pays a visitor's job during the flood. @returns time from its block until the API shows the payment, ms */
async function visitorsJob(): Promise<void> {
  const body = { tokenAddress: token, paymentAmount: Number(PAID) };
  const created = await product.call<{ jobId: string; paymentAddress: string }>(
    'POST',
    '/jobs/create',
    body,
    from(VISITOR),
  );
  expect(created.status).toBeLessThan(300);
  await product.pay(created.body.paymentAddress, PAID);
  const path = `/jobs/${created.body.jobId}/payment`;
  await until(
    'the end of a visitor’s job',
    async () => (await product.call<{ status: string }>('GET', path, undefined, from(VISITOR))).body,
    ({ status }) => status === 'completed',
    { timeoutMs: JOB_MS, everyMs: 2000 },
  );
}

/** How often the API gave each status. */
async function statusesOf(count: number, ask: (number: number) => Promise<{ status: number }>) {
  const statuses = new Map<number, number>();
  const askNext = async (number: number) => {
    const { status } = await ask(number);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  for (let sent = 0; sent < count; sent += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - sent) }, (_, index) => askNext(sent + index)));
  return statuses;
}

const someAddress = () => `0x${randomBytes(20).toString('hex')}`;
const someJob = () => `job_${randomBytes(16).toString('hex')}`;

/** Floods of requests: the request, and how many of a thousand may succeed. */
const FLOODS: readonly (readonly [string, number, (number: number) => Promise<{ status: number }>])[] = [
  [
    'unpaid jobs',
    MOST_UNPAID_JOBS,
    () => product.call('POST', '/jobs/create', { tokenAddress: token, paymentAmount: Number(PAID) }, from(FLOODER)),
  ],
  [
    'validations of unknown tokens',
    MOST_UNKNOWN_TOKENS,
    () => product.call('POST', '/validate-token', { tokenAddress: someAddress() }, from(FLOODER)),
  ],
  ['reads of unknown jobs', 0, () => product.call('GET', `/jobs/${someJob()}/payment`, undefined, from(FLOODER))],
  [
    'unknown keys',
    0,
    (number) => product.call('GET', '/stats', undefined, { ...from(FLOODER), 'x-api-key': `guess-${number}` }),
  ],
];

it.each(FLOODS)('a flood of %s is bounded and harms no job', { timeout: JOB_MS }, async (_what, mostAnswered, ask) => {
  const [statuses] = await Promise.all([statusesOf(1000, ask), visitorsJob()]);
  const answered = [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
  const failed = [...statuses].filter(([status]) => status >= 500 && status !== 503);
  expect(answered).toBeLessThanOrEqual(mostAnswered);
  expect(failed).toEqual([]);
});

it('a flood of live channels keeps the first', { timeout: JOB_MS }, async () => {
  const { jobId } = await product.createJob(token, Number(PAID));
  const over = new AbortController();
  // Keeps a reference: the garbage collector would close the channel of an unreferenced answer.
  const answers: Response[] = [];
  const open = async () => {
    const headers = { 'x-api-key': product.stack.apiKey, ...from(FLOODER) };
    const answer = await fetch(`${product.stack.apiUrl}/jobs/${jobId}/events`, { headers, signal: over.signal });
    answers.push(answer);
    return answer;
  };
  const [statuses] = await Promise.all([statusesOf(100, open), visitorsJob()]);
  over.abort();
  expect(answers).toHaveLength(100);
  expect(statuses.get(200)).toBe(MOST_CHANNELS);
  expect(statuses.get(429)).toBe(100 - MOST_CHANNELS);
});

it('a flood of dust lets its job end', { timeout: JOB_MS }, async () => {
  const { jobId, paymentAddress } = await product.createJob(token, Number(PAID));
  await product.pay(paymentAddress, PAID);
  const strangers = await Promise.all(Array.from({ length: 4 }, () => Actor.with(running.stack, parseHype('1'))));
  const dust = strangers.map(async (stranger) => {
    for (let sent = 0; sent < 50; sent++)
      await stranger.send({ to: paymentAddress as Address, value: 1n, gas: 21_000n });
  });
  await Promise.all([...dust, visitorsJob()]);
  const ended = await until(
    'the end of the dusted job',
    () => product.status(jobId),
    ({ status }) => status !== 'active',
    {
      timeoutMs: JOB_MS,
      everyMs: 2000,
    },
  );
  expect(ended.status).toBe('completed');
});
