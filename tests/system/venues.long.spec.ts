import { chainTestClient } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, type Hex, toFunctionSelector } from 'viem';
import { describe, expect, it } from 'vitest';
import { beginJob, completed, expectExactSums } from '../support/exact-job.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { accountOfWallet, tokenBalance } from '../support/wallet-accounts.ts';
import { VENUE_SHAPES, type VenueShape } from './venue-shapes.ts';

const PAID = '0.25';
const JOB_MS = 240_000;
/** Code that reverts every call. */
const BROKEN = '0xfe';
const CAMELOT_SWAP = toFunctionSelector(
  'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,address,uint256)',
);

// A separate stack, which loses its venues.
const own = ownStackForFile(40, { 'maker-executor': { MAKER_LIQUIDITY_TIMEOUT_SECONDS: '5' } });

describe('a job on each shape of venue', { timeout: JOB_MS }, () => {
  it.concurrent.each(VENUE_SHAPES)('completes to the wei on $what', async ({ token }) => {
    const address = own.product.stack.tokens[token] as Address;
    const unpaid = await beginJob(own.product, address, PAID);
    await own.product.pay(unpaid.job.paymentAddress, PAID);
    expectExactSums(PAID, await completed(own.product, address, unpaid, JOB_MS));
  });
});

describe('a job ends when its only venue', { timeout: JOB_MS }, () => {
  describe('breaks', () => {
    it.concurrent.each(VENUE_SHAPES)('$what: delivers purchases and returns the rest', async (venue) => {
      await expectEndWithCode(venue, await venue.pool(own.product), () => BROKEN);
    });

    it('in its router only: delivers purchases and returns the rest', async () => {
      const withoutSwap = (code: Hex) => code.replaceAll(`63${CAMELOT_SWAP.slice(2)}`, '63deadbeef') as Hex;
      for (const venue of VENUE_SHAPES.filter(({ token }) => token === 'camelotOnly'))
        await expectEndWithCode(venue, own.product.stack.contracts.camelotRouter, withoutSwap);
    });
  });

  describe('loses its liquidity', () => {
    it.concurrent.each(VENUE_SHAPES)('$what: delivers purchases and returns the rest', async (venue) => {
      await expectEndWithout(venue, () => venue.pullLiquidity(own.product));
    });
  });
});

/** Replaces the code of a venue's contract for a job. */
async function expectEndWithCode(venue: VenueShape, address: Address, change: (code: Hex) => Hex): Promise<void> {
  const node = chainTestClient(own.product.stack.chainControlUrl);
  const bytecode = (await own.product.chain.getCode({ address })) ?? '0x';
  await expectEndWithout(venue, () => node.setCode({ address, bytecode: change(bytecode) }));
  await node.setCode({ address, bytecode });
}

/** Removes a job's venue after its first orders, and compares its end with the chain. */
async function expectEndWithout(venue: VenueShape, lose: () => Promise<void>): Promise<void> {
  const token = own.product.stack.tokens[venue.token] as Address;
  const { job, tokensBefore, sinceBlock } = await beginJob(own.product, token, PAID);
  await own.product.pay(job.paymentAddress, PAID);
  await until(
    'some orders',
    () => own.product.orders(job.jobId),
    (orders) => orders.some(({ status }) => status === 'final'),
    { timeoutMs: JOB_MS },
  );
  await lose();
  const ended = await own.product.ended(job.jobId, { timeoutMs: JOB_MS });
  expect(ended.status).toBe('failed_liquidity');
  await expectProven(own.product, job.jobId);
  const account = await accountOfWallet(own.product, job.paymentAddress as Address, token, sinceBlock);
  expect(account.balanceWei).toBe(0n);
  expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei).toBe(parseHype(PAID));
  expect(account.returnedWei).toBeGreaterThan(0n);
  expect(await tokenBalance(own.product, token, own.product.stack.payer.address as Address)).toBeGreaterThan(
    tokensBefore,
  );
  expect(await tokenBalance(own.product, token, job.paymentAddress as Address)).toBe(0n);
}
