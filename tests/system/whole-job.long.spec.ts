import { estimateOrders, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import { beginJob, completed, type EndedJob, expectExactSums } from '../support/exact-job.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';

const JOB_TIMEOUT_MS = 280_000;

// A separate stack with its own clock: capacity is booked in the chain's seconds.
const own = ownStackForFile(20);

/** Runs a job from its creation to its end, and compares its sums with the chain. */
async function runJob(token: Address, amount: string) {
  const unpaid = await beginJob(own.product, token, amount);
  const { jobId, paymentAddress } = unpaid.job;
  expect(await own.product.payment(jobId)).toMatchObject({ status: 'pending_payment', paymentReceived: false });

  await own.product.pay(paymentAddress, amount);
  const seen = await until(
    'the payment',
    () => own.product.payment(jobId),
    ({ paymentReceived }) => paymentReceived,
    { everyMs: 50 },
  );
  expect(seen.status).toBe('active');
  return completed(own.product, token, unpaid, JOB_TIMEOUT_MS);
}

/** Asserts the sums, counts and sizes of a completed job (design §§ 2, 4 and 5). */
function expectExactAccounts(amount: string, ended: EndedJob) {
  expectExactSums(amount, ended);
  const { lower, upper } = estimateOrders(parseHype(amount));
  expect(ended.account.ordersPlaced).toBeGreaterThanOrEqual(lower);
  expect(ended.account.ordersPlaced).toBeLessThanOrEqual(upper);
  for (const trade of ended.account.orderTrades) {
    expect(trade).toBeGreaterThanOrEqual(parseHype('0.0003'));
    expect(trade).toBeLessThanOrEqual(parseHype('0.0005'));
  }
}

// In parallel, since each waits for the chain, not for the machine.
describe.concurrent('a whole job (specification § 1, design § 4)', () => {
  it('of 0.5 HYPE on V2 and V3 pools', { timeout: JOB_TIMEOUT_MS }, async () => {
    const result = await runJob(own.product.stack.tokens.both as Address, '0.5');
    expectExactAccounts('0.5', result);

    const { receipt, ...status } = await own.product.status(result.job.jobId);
    expect(status).toMatchObject({ status: 'completed', receivedWei: parseHype('0.5').toString() });
    expect(receipt).toMatchObject({
      ordersPlaced: result.account.ordersPlaced,
      tradedWei: result.account.tradedWei.toString(),
      gasWei: result.account.gasWei.toString(),
      feeWei: result.account.feeWei.toString(),
      returnedWei: result.account.returnedWei.toString(),
      deliveredTokens: result.tokensReceived.toString(),
      heldWei: '0',
    });
    const orders = await own.product.orders(result.job.jobId);
    expect(orders.filter(({ status }) => status === 'final' || status === 'mined')).toHaveLength(
      result.account.ordersPlaced,
    );
  });

  it('is counted and shown as the latest', { timeout: JOB_TIMEOUT_MS }, async () => {
    const known = new Set(Object.values(own.product.stack.tokens).map((token) => token.toLowerCase()));
    const counted = await until(
      'an active job',
      () => own.product.stats(),
      ({ jobs }) => jobs.active > 0,
    );
    expect(known).toContain(counted.latestJob?.tokenAddress.toLowerCase());
  });
});
