import type { CreateJobResponse, JobPlan } from '@maker/contracts';
import type { RunningStack } from '@maker/local-stack';
import { formatHype, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { Actor } from './actor.ts';
import { purchase } from './hostile-traders.ts';
import { deployer, type Market, openMarkets } from './markets.ts';

const CASE_MS = 600_000;

/** The chain makes its blocks as fast as its clock passes. */
const CLOCK = { blockMs: 250, secondsPerBlock: 0 };

/** Limit of all unpaid jobs, if each client may have one. */
const MOST_UNPAID = 250;
/** Unpaid jobs of the largest network. */
const LARGEST = 124;
const NEXT = 120;
const SMALL = '0.25';

/** Jobs that the attacker pays, and the HYPE of each: two of them need all requests of a public endpoint. */
const WAITING_JOBS = 6;
const LARGE = '5.8';
const DEPTH_WEI = parseHype('200');

let running: RunningStack;
let product: ProductClient;
let markets: Market[];

beforeAll(async () => {
  running = await startOwnStack(
    86_400,
    {
      job: {
        JOB_ORDER_REQUESTS_PER_MINUTE: '40',
        JOB_BLOCK_SHARE_BPS: '1000',
        JOB_MOST_UNPAID_JOBS_PER_CLIENT: '1',
      },
      'api-gateway': { HTTP_TRUSTED_PROXIES: '127.0.0.1' },
    },
    {},
    { clock: CLOCK },
  );
  product = new ProductClient({ ...running.stack, rpcUrl: running.stack.chainControlUrl });
  markets = await openMarkets(deployer(running.stack), running.stack, product.chain, ['V2', 'V2'], DEPTH_WEI);
}, 300_000);

afterAll(() => running?.stop());

const from = (client: string): Record<string, string> => ({ 'x-forwarded-for': client });

const tryToCreate = (token: string, hype: string, client: string) =>
  product.call<CreateJobResponse>(
    'POST',
    '/jobs/create',
    { tokenAddress: token, paymentAmount: Number(hype) },
    from(client),
  );

async function create(token: string, hype: string, client: string): Promise<CreateJobResponse> {
  const { status, body } = await tryToCreate(token, hype, client);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
}

/** The plan of a visitor who shares nothing with the attacker. */
const visitorsPlan = (hype: string) =>
  product.call<JobPlan>(
    'POST',
    '/plan',
    { tokenAddress: product.stack.tokens.both, paymentAmount: Number(hype) },
    from('198.51.100.9'),
  );

it('paid jobs that wait before their fee refuse no visitor', { timeout: CASE_MS }, async () => {
  const [market] = markets as [Market];
  const { body: calm } = await visitorsPlan('60');
  const attacker = await Actor.with(running.stack, parseHype('500'));
  const jobs: CreateJobResponse[] = [];
  for (let index = 0; index < WAITING_JOBS; index += 1)
    jobs.push(await create(market.token, LARGE, `203.0.${index}.7`));
  await attacker.send(purchase(running, market, attacker.address, parseHype('60')));
  const beforeWei = await product.chain.getBalance({ address: attacker.address });
  for (const { paymentAddress } of jobs)
    await attacker.send({ to: paymentAddress as Address, value: parseHype(LARGE), gas: 21_000n });
  for (const { jobId } of jobs)
    await until(
      'the pause above the band',
      () => product.status(jobId),
      ({ receipt }) => receipt?.paused?.reason === 'price_band',
      { timeoutMs: CASE_MS },
    );

  await create(product.stack.tokens.both as string, SMALL, '198.51.100.7');
  expect((await visitorsPlan('0.5')).status).toBe(200);
  // Two minutes after the last activation, nothing is left of the bookings.
  await until(
    'the capacity before the attack',
    () => visitorsPlan('60'),
    ({ status, body }) => status === 200 && body.slotMs <= calm.slotMs,
    { timeoutMs: CASE_MS, everyMs: 5000 },
  );

  for (const { jobId, stopSecret } of jobs) await product.call('POST', `/jobs/${jobId}/stop`, { stopSecret });
  for (const { jobId } of jobs)
    expect((await product.ended(jobId, { timeoutMs: CASE_MS, everyMs: 1000 })).status).toBe('cancelled');
  const lostWei = beforeWei - (await product.chain.getBalance({ address: attacker.address }));
  expect(lostWei).toBeLessThan(parseHype('0.01'));
  console.log(`${WAITING_JOBS} jobs cost the attacker ${formatHype(lostWei)} HYPE, and visitors nothing`);
});

it('a little money for each unpaid job refuses no visitor', { timeout: CASE_MS }, async () => {
  const token = product.stack.tokens.both as string;
  const largest: CreateJobResponse[] = [];
  const next: CreateJobResponse[] = [];
  while (largest.length < LARGEST) largest.push(await create(token, SMALL, `203.0.113.${largest.length}`));
  while (next.length < NEXT) next.push(await create(token, SMALL, `192.0.2.${next.length}`));
  for (let other = 0; other < MOST_UNPAID; other += 1) {
    // Fills all places, some of which earlier tests took.
    const { status, body } = await tryToCreate(token, SMALL, `203.0.113.${LARGEST + other}`);
    if (status === 429) break;
    expect(status).toBe(201);
    largest.push(body);
  }
  const attacker = await Actor.with(running.stack, parseHype('10'));
  const sendTo = async (jobs: readonly CreateJobResponse[], value: bigint) => {
    for (const { paymentAddress } of jobs) await attacker.send({ to: paymentAddress as Address, value, gas: 21_000n });
    for (const { jobId } of jobs)
      await until(
        'the payment to be seen',
        () => product.payment(jobId),
        ({ status, receivedWei, waitingWei = '0' }) =>
          status !== 'pending_payment' || BigInt(receivedWei) + BigInt(waitingWei) >= value,
        { timeoutMs: CASE_MS },
      );
  };
  await sendTo(largest, parseHype('0.0003'));
  for (let visitor = 1; visitor <= 4; visitor += 1) await create(token, SMALL, `198.51.${visitor}.9`);
  expect((await product.payment(largest.at(-1)?.jobId ?? '')).status).toBe('cancelled');
  expect((await product.payment(next.at(-1)?.jobId ?? '')).status).toBe('pending_payment');

  const places = async (jobs: readonly CreateJobResponse[]) => {
    const answers = await Promise.all(jobs.map(({ jobId }) => product.payment(jobId)));
    return jobs.filter((_job, index) => answers[index]?.status === 'pending_payment');
  };
  // Once the largest network has paid for its places, the next one gives.
  await sendTo(await places(largest), parseHype(SMALL) / 10n);
  for (let visitor = 5; visitor <= 8; visitor += 1) await create(token, SMALL, `198.51.${visitor}.9`);
  expect((await product.payment(next.at(-1)?.jobId ?? '')).status).toBe('cancelled');
});
