import type { SwitchChange } from '@maker/hyperevm-node';
import { DEFAULT_SWITCHES, SYSTEM_ADDRESS } from '@maker/hyperevm-node';
import { parseHype } from '@maker/rules';
import type { Address, Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faultsOfEndpoints, refusalsByLimit } from '../support/endpoint-faults.ts';
import { beginJob, completed, expectExactSums } from '../support/exact-job.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';

/** For over thirty orders. */
const PAID = '0.17';
const JOB_MS = 120_000;

/** Behaviour of HyperEVM or its endpoints at times; each is a switch of the node (docs/hyperevm-node.md). */
const WEATHER: Readonly<Record<string, SwitchChange>> = {
  'two nodes behind one name disagree about the tip, and answers overtake each other': {
    secondNodeBehindMs: 300,
    jitterMs: 40,
  },
  'other people fill nine tenths of each block and make gas dear': {
    otherTraffic: { small: { share: 0.9, tipWei: 0n, mostBaseFeeWei: 600_000_000n } },
  },
  'the first transaction is included first': { inclusionOrder: 'arrival' },
  'heights above the head are null, as on Ethereum': { nullAboveHead: true },
  'overrides are refused': { refuseStateOverrides: true },
  'calls without a recipient are refused': { refuseDeploylessCalls: true },
  'a minute of blocks is all that is kept': { keptBlocks: 60 },
  'other people fill the big blocks': {
    otherTraffic: { big: { share: 1, tipWei: 1_000_000_000n, mostBaseFeeWei: 5_000_000_000n } },
  },
};

// A separate stack: its switches would affect other tests.
let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;
let token: Address;
let faultsBefore: number;

beforeAll(async () => {
  ownStack = await startOwnStack(5, { job: { MINIMUM_PAYMENT_HYPE: PAID } });
  // The payer and the checks bypass the node's switches; the services use the node with them.
  product = new ProductClient({ ...ownStack.stack, rpcUrl: ownStack.stack.chainControlUrl });
  token = product.stack.tokens.both as Address;
}, 120_000);

afterAll(() => ownStack?.stop());

beforeEach(async () => {
  faultsBefore = await faultsOfEndpoints(product.stack);
});

afterEach(() => product.control.setSwitches(DEFAULT_SWITCHES));

describe('a job ends with exact sums, blaming no endpoint', { timeout: JOB_MS }, () => {
  it.each(Object.entries(WEATHER))('where %s', async (_what, change) => {
    await product.control.setSwitches(change);
    const unpaid = await beginJob(product, token, PAID);
    await product.pay(unpaid.job.paymentAddress, PAID);
    expectExactSums(PAID, await completed(product, token, unpaid, JOB_MS));
    expect(await faultsOfEndpoints(product.stack)).toBe(faultsBefore);
  });

  it.each([
    ['left out of', false],
    ['shown in', true],
  ])('where a system transaction %s blocks pays it', async (_where, shown) => {
    await product.control.setSwitches({ includeSystemTransactions: shown });
    const unpaid = await beginJob(product, token, PAID, product.stack.payer.address as Address);
    await payBySystem(unpaid.job.paymentAddress as Hex);
    expectExactSums(PAID, await completed(product, token, unpaid, JOB_MS));
    expect(await faultsOfEndpoints(product.stack)).toBe(faultsBefore);
  });

  it('where the endpoint throttles amid the job', async () => {
    const unpaid = await beginJob(product, token, PAID);
    await product.pay(unpaid.job.paymentAddress, PAID);
    await until(
      'a first order',
      () => product.orders(unpaid.job.jobId),
      (orders) => orders.length > 0,
    );
    const refusedBefore = await refusalsByLimit(product.stack);
    await product.control.setSwitches({ requestsPerMinute: 1 });
    await until(
      'refusals',
      () => refusalsByLimit(product.stack),
      (refused) => refused >= refusedBefore + 4,
    );
    await product.control.setSwitches(DEFAULT_SWITCHES);
    expectExactSums(PAID, await completed(product, token, unpaid, JOB_MS));
    expect(await faultsOfEndpoints(product.stack)).toBe(faultsBefore);
  });

  it('where HYPE sent on HyperCore stays there', async () => {
    const unpaid = await beginJob(product, token, PAID);
    const wallet = unpaid.job.paymentAddress as Hex;
    await product.control.core.credit(wallet, parseHype('0.5'));
    await product.pay(wallet, PAID);
    expectExactSums(PAID, await completed(product, token, unpaid, JOB_MS));
    expect(await product.control.core.balanceWei(wallet)).toBe(parseHype('0.5'));
  });
});

describe('a payment by a system transaction without a return address', { timeout: JOB_MS }, () => {
  it.each([
    ['left out of', false],
    ['shown in', true],
  ])('that is %s blocks leaves the payer unknown', async (_, shown) => {
    await product.control.setSwitches({ includeSystemTransactions: shown });
    const { job } = await beginJob(product, token, PAID);
    await payBySystem(job.paymentAddress as Hex);
    const held = await until(
      'the held money',
      () => product.status(job.jobId),
      ({ status, receipt }) => status === 'completed' && BigInt(receipt?.heldWei ?? 0) > 0n,
      { timeoutMs: JOB_MS },
    );
    expect(held.receipt?.transfers.map(({ kind }) => kind)).not.toContain('return');
  });
});

/** Moves HYPE of an address from HyperCore to HyperEVM. */
async function payBySystem(address: Hex): Promise<void> {
  const wei = parseHype(PAID);
  await product.control.core.credit(address, wei);
  await product.control.core.send(address, SYSTEM_ADDRESS, wei);
}
