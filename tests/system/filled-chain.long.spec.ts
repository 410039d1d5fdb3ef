import type { SwitchChange } from '@maker/hyperevm-node';
import { HYPEREVM_CLOCK } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, type Hash, numberToHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { beginJob, completed, expectExactSums } from '../support/exact-job.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';

const GWEI = 1_000_000_000n;
/** For about 47 standard orders. */
const PAID = '0.17';
/** An order every 1.25 blocks. */
const WINDOW_SECONDS = 60;
const JOB_MS = 240_000;
/** Delay beyond that of a quiet chain: four blocks until a transaction counts as starved, and its replacements. */
const LATE_SECONDS = 20;

interface Measured {
  readonly orders: number;
  readonly plannedOrders: number;
  /** Standard orders that the orders represent: a high gas price merges neighbours. */
  readonly standardOrders: number;
  readonly unfilled: number;
  readonly gasGwei: number;
  /** Share of the money that the plan can spend in pools. */
  readonly tradedShare: number;
  /** Time from the payment's block to the last order's, beyond the plan's time. */
  readonly lateSeconds: number;
}

// A separate stack at HyperEVM's own pace: others fill its blocks, and the test measures delays.
let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;
let quiet: Measured;

beforeAll(async () => {
  ownStack = await startOwnStack(
    WINDOW_SECONDS,
    { job: { MINIMUM_PAYMENT_HYPE: PAID } },
    {},
    { clock: HYPEREVM_CLOCK },
  );
  // The test reads and pays without the switches and the queue.
  product = new ProductClient({ ...ownStack.stack, rpcUrl: ownStack.stack.chainControlUrl });
  quiet = await measureJob('no other traffic');
}, 120_000 + JOB_MS);

afterAll(() => ownStack?.stop());

afterEach(() => product.control.setSwitches({ otherTraffic: { small: null } }));

describe('full blocks delay no job with enough money (design § 4a)', {
  timeout: JOB_MS,
}, () => {
  it.each<[others: string, traffic: NonNullable<NonNullable<SwitchChange['otherTraffic']>['small']>]>([
    ['others who fill nine tenths', { share: 0.9, tipWei: 0n, mostBaseFeeWei: 600_000_000n }],
    ['others who fill every block and tip half a gwei', { share: 1, tipWei: GWEI / 2n, mostBaseFeeWei: GWEI }],
    ['others who fill every block and tip 2 gwei', { share: 1, tipWei: 2n * GWEI, mostBaseFeeWei: 3n * GWEI }],
  ])('beside %s', async (others, traffic) => {
    await product.control.setSwitches({ otherTraffic: { small: traffic } });
    await product.control.mine(60);
    const held = await measureJob(others);
    expect(held.lateSeconds - quiet.lateSeconds).toBeLessThanOrEqual(LATE_SECONDS);
    // A high gas price merges orders and keeps an hour's trades. After a slight rise the rest may not pay for the last order.
    expect(held.tradedShare).toBeGreaterThan(0.97 - 1 / held.plannedOrders);
  });

  it('waits in crowded blocks and continues afterwards', async () => {
    const token = product.stack.tokens.both as Address;
    const unpaid = await beginJob(product, token, PAID);
    await product.pay(unpaid.job.paymentAddress, PAID);
    const { jobId } = unpaid.job;
    await until(
      'a first order',
      () => product.orders(jobId),
      (orders) => orders.length > 0,
    );
    const dear = { share: 1, tipWei: 3n * GWEI, mostBaseFeeWei: 12n * GWEI };
    await product.control.setSwitches({ otherTraffic: { small: dear } });
    await product.control.setBaseFee('small', 11n * GWEI);
    await until(
      'the pause on the receipt',
      () => product.status(jobId),
      ({ receipt }) => receipt?.paused?.reason === 'gas_guardrail',
    );
    await product.control.setSwitches({ otherTraffic: { small: null } });
    await product.control.setBaseFee('small', GWEI / 10n);
    expectExactSums(PAID, await completed(product, token, unpaid, JOB_MS));
  });
});

/** Runs a job to its end, and measures how closely its orders followed the valid plan. */
async function measureJob(beside: string): Promise<Measured> {
  const token = product.stack.tokens.both as Address;
  const unpaid = await beginJob(product, token, PAID);
  const paidAtMs = await payBesideTheQueue(unpaid.job.paymentAddress);
  expectExactSums(PAID, await completed(product, token, unpaid, JOB_MS));
  const { plan } = await product.status(unpaid.job.jobId);
  if (!plan) throw new Error('the job has no plan');
  const orders = await product.orders(unpaid.job.jobId);
  const filled = orders.filter(({ status }) => status === 'mined' || status === 'final');
  const lastAtMs = Math.max(...filled.map(({ minedAt }) => Date.parse(minedAt ?? '')));
  const traded = filled.reduce((sum, { tradeWei }) => sum + BigInt(tradeWei), 0n);
  const measured = {
    orders: filled.length,
    plannedOrders: plan.orders.count,
    standardOrders: filled.reduce((sum, { merged = 1 }) => sum + merged, 0),
    unfilled: orders.length - filled.length,
    gasGwei: Number(plan.assumes.gasPriceWei) / 1e9,
    tradedShare: Number((traded * 10_000n) / BigInt(plan.spendableWei)) / 10_000,
    lateSeconds: (lastAtMs - paidAtMs - (Date.parse(plan.expectedEndAt) - Date.parse(plan.startsAt))) / 1000,
  };
  console.log(`beside ${beside}: ${JSON.stringify(measured)}`);
  return measured;
}

/** Pays without bidding for room in a block. @returns timestamp of its block, ms */
async function payBesideTheQueue(address: string): Promise<number> {
  const hash = await product.control.request<Hash>('eth_sendTransaction', {
    from: product.stack.payer.address,
    to: address,
    value: numberToHex(parseHype(PAID)),
    maxFeePerGas: numberToHex(50n * GWEI),
    maxPriorityFeePerGas: '0x0',
  });
  const { blockNumber } = await product.chain.waitForTransactionReceipt({ hash });
  return Number((await product.chain.getBlock({ blockNumber })).timestamp) * 1000;
}
