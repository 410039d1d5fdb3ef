import { chainTestClient } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginJob, completed, expectExactSums } from '../support/exact-job.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { accountOfWallet, tokenBalance } from '../support/wallet-accounts.ts';
import { VENUE_SHAPES, type VenueShape } from './venue-shapes.ts';

const PAID = '0.25';
const JOB_MS = 240_000;
/** Whatever is asked of it reverts. */
const BROKEN = '0xfe';

// A stack of its own: its venues are lost.
let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  ownStack = await startOwnStack(20, { 'maker-executor': { MAKER_LIQUIDITY_TIMEOUT_SECONDS: '5' } });
  product = new ProductClient(ownStack.stack);
}, 120_000);

afterAll(() => ownStack?.stop());

describe('a job on each shape of venue', { timeout: JOB_MS }, () => {
  it.concurrent.each(VENUE_SHAPES)('completes to the wei on $what', async ({ token }) => {
    const address = product.stack.tokens[token] as Address;
    const begun = await beginJob(product, address, PAID);
    await product.pay(begun.job.paymentAddress, PAID);
    expectExactSums(PAID, await completed(product, address, begun, JOB_MS));
  });
});

describe('a job ends by itself where in mid-job its only venue', { timeout: JOB_MS }, () => {
  describe('breaks', () => {
    it.concurrent.each(VENUE_SHAPES)('$what: what is bought is delivered, what is left is returned', async (venue) => {
      const address = await venue.pool(product);
      const node = chainTestClient(product.stack.chainControlUrl);
      const bytecode = (await product.chain.getCode({ address })) ?? '0x';
      await endsWithout(venue, () => node.setCode({ address, bytecode: BROKEN }));
      await node.setCode({ address, bytecode });
    });
  });

  describe('is left by those whose liquidity it was', () => {
    it.concurrent.each(VENUE_SHAPES)('$what: what is bought is delivered, what is left is returned', async (venue) => {
      await endsWithout(venue, () => venue.pullLiquidity(product));
    });
  });
});

/** Takes a job's venue away after its first orders, and holds its end against the chain. */
async function endsWithout(venue: VenueShape, lose: () => Promise<void>): Promise<void> {
  const token = product.stack.tokens[venue.token] as Address;
  const { job, tokensBefore, sinceBlock } = await beginJob(product, token, PAID);
  await product.pay(job.paymentAddress, PAID);
  await until(
    'some orders',
    () => product.orders(job.jobId),
    (orders) => orders.some(({ status }) => status === 'final'),
    { timeoutMs: JOB_MS },
  );
  await lose();
  const ended = await until(
    'the end of the job',
    () => product.payment(job.jobId),
    ({ status }) => status !== 'active',
    { timeoutMs: JOB_MS },
  );
  expect(ended.status).toBe('failed_liquidity');
  await expectProven(product, job.jobId);
  const account = await accountOfWallet(product, job.paymentAddress as Address, token, sinceBlock);
  expect(account.balanceWei).toBe(0n);
  expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei).toBe(parseHype(PAID));
  expect(account.returnedWei).toBeGreaterThan(0n);
  expect(await tokenBalance(product, token, product.stack.payer.address as Address)).toBeGreaterThan(tokensBefore);
  expect(await tokenBalance(product, token, job.paymentAddress as Address)).toBe(0n);
}
