import { HYPEREVM_CLOCK, SERVICES, type ServiceName } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { ProductClient } from '../support/product-client.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { accountOfWallet } from '../support/wallet-accounts.ts';
import { ReadyReplicas } from './ready-replicas.ts';
import { Visitors } from './visitors.ts';

/** Longer than the balancer needs to notice that a replica is not ready, as in a cluster. */
const DRAIN = { SHUTDOWN_DRAIN_MS: '1500' };
const TWO_OF_EACH = Object.fromEntries(SERVICES.map((service) => [service, 2]));
const DRAINING = Object.fromEntries(SERVICES.map((service) => [service, DRAIN]));

/** What the start of a process may cost a payment, blocks of a second. A lease that nobody gave back costs more. */
const START_BLOCKS = 3n;

const own = ownStackForFile(60, DRAINING, TWO_OF_EACH, { clock: HYPEREVM_CLOCK });
let gateways: ReadyReplicas;

/** A client that uses another ready replica of the gateway each time. */
const balanced = (): ProductClient => new ProductClient({ ...own.running.stack, apiUrl: gateways.next() });

beforeAll(async () => {
  gateways = new ReadyReplicas(own.running.stack.replicas['api-gateway']);
  await until(
    'a ready gateway',
    async () => gateways.size,
    (size) => size === 2,
  );
}, 120_000);

afterAll(() => gateways?.stop());

/** Pays a part of a job's price, so that the product sees the money but starts nothing. @returns blocks until the API shows it */
async function blocksUntilSeen(): Promise<bigint> {
  const job = await balanced().createJob(own.product.stack.tokens.both, 0.25);
  const { blockNumber } = await own.product.pay(job.paymentAddress, '0.01');
  const seen = await until(
    'the payment',
    async () => ({ status: await balanced().status(job.jobId), head: await own.product.chain.getBlockNumber() }),
    ({ status }) => BigInt(status.receivedWei) > 0n,
    { everyMs: 50 },
  );
  return seen.head - blockNumber;
}

/** Restarts both replicas of a service in turn, and pays meanwhile. */
async function roll(service: ServiceName): Promise<bigint[]> {
  const delays: bigint[] = [];
  for (const replica of [0, 1]) {
    let restarting = true;
    const restart = async (): Promise<void> => {
      await own.running.restart(service, replica);
      restarting = false;
    };
    const pay = async (): Promise<void> => {
      do delays.push(await blocksUntilSeen());
      while (restarting);
    };
    await Promise.all([restart(), pay()]);
    await until(
      'both gateways',
      async () => gateways.size,
      (size) => size === 2,
    );
  }
  return delays;
}

it('loses no request and delays no payment', { timeout: 300_000 }, async () => {
  const token = own.product.stack.tokens.both as Address;
  const job = await own.product.createJob(token, 0.25);
  const { blockNumber } = await own.product.pay(job.paymentAddress, '0.25');
  const visitors = new Visitors(own.running.stack, gateways, 4);

  const delays: Partial<Record<ServiceName, bigint[]>> = {};
  const undisturbed: bigint[] = [];
  try {
    for (let paid = 0; paid < 4; paid += 1) undisturbed.push(await blocksUntilSeen());
    for (const service of SERVICES) delays[service] = await roll(service);
  } finally {
    // They would continue after the end of the stack, and record every refusal.
    await visitors.leave();
  }

  expect(visitors.lost).toEqual([]);
  expect(visitors.answered).toBeGreaterThan(500);
  // The peer is the same product without a roll-out: on two cores, the start of a process takes the others' time too.
  const isSlow = (delay: bigint) => undisturbed.every((peer) => delay > peer + START_BLOCKS);
  const slow = Object.entries(delays).filter(([, blocks]) => blocks.some(isSlow));
  expect({ undisturbed, slow: Object.fromEntries(slow) }).toEqual({ undisturbed, slow: {} });

  const ended = await until(
    'the end of the job',
    () => balanced().payment(job.jobId),
    ({ status }) => status !== 'active',
    { timeoutMs: 180_000 },
  );
  expect(ended.status).toBe('completed');
  await expectProven(balanced(), job.jobId);
  const account = await accountOfWallet(own.product, job.paymentAddress as Address, token, blockNumber);
  expect(account.otherRecipients).toEqual([]);
  expect(account.feeWei).toBe(parseHype('0.075'));
  expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei).toBe(parseHype('0.25'));
  expect(account.balanceWei).toBe(0n);
});
