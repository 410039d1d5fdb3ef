import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { expect, it } from 'vitest';
import { FAST_CLOCK } from '../support/own-stack.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';

// A separate stack: advancing the chain's clock would end other tests' jobs.
const own = ownStackForFile();

it('runs a timely job and expires an unpaid', { timeout: 240_000 }, async () => {
  const paid = await own.product.createJob(own.product.stack.tokens.v2Only, 0.25);
  const unpaid = await own.product.createJob(own.product.stack.tokens.v2Only, 0.25);
  const deadlineSeconds = Math.floor(Date.parse(paid.paymentDeadline) / 1000);

  // Blocks on demand: on a busy machine the chain's clock would pass the deadline before the payment.
  await own.product.control.setBlockInterval(0);
  const payment = own.product.pay(paid.paymentAddress, '0.25');
  await until(
    'the payment',
    () => own.product.control.waiting(),
    (waiting) => waiting.length > 0,
  );
  await mineAt(deadlineSeconds - 1);
  await payment;
  await mineAt(Math.ceil(Date.parse(unpaid.paymentDeadline) / 1000) + 2);
  await own.product.control.setBlockInterval(FAST_CLOCK.blockMs);

  await own.product.completed(paid.jobId, { timeoutMs: 180_000 });
  await expectProven(own.product, paid.jobId);
  const expired = await until(
    'the expiry',
    () => own.product.payment(unpaid.jobId),
    ({ status }) => status !== 'pending_payment',
  );
  expect(expired).toMatchObject({ status: 'payment_expired', paymentReceived: false, receivedWei: '0' });
  expect(await own.product.chain.getBalance({ address: paid.paymentAddress as Address })).toBeLessThan(
    parseHype('0.001'),
  );
});

it('gives a later job its full 15 minutes', async () => {
  const job = await own.product.createJob(own.product.stack.tokens.v2Only, 0.25);
  const { timestamp } = await own.product.chain.getBlock();
  expect(Date.parse(job.paymentDeadline) / 1000 - Number(timestamp)).toBeGreaterThan(14 * 60);
});

/** Gives the chain's next block this timestamp; later ones continue from there. */
async function mineAt(timestampSeconds: number): Promise<void> {
  await own.product.control.request('evm_setNextBlockTimestamp', timestampSeconds);
  await own.product.control.request('evm_mine');
}
