import { SERVICES } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { accountOfWallet } from '../support/wallet-accounts.ts';

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  // Long enough that a busy machine starts every service anew before the job ends.
  ownStack = await startOwnStack(360);
  product = new ProductClient(ownStack.stack);
}, 120_000);

afterAll(() => ownStack?.stop());

it('completes a job with the same sums when every service in turn is killed in its middle (design § 5)', {
  timeout: 300_000,
}, async () => {
  const token = product.stack.tokens.both as Address;
  const job = await product.createJob(token, 0.25);
  const { blockNumber } = await product.pay(job.paymentAddress, '0.25');

  for (const service of SERVICES) {
    const seen = (await product.status(job.jobId)).receipt?.ordersPlaced ?? 0;
    await until(
      `an order before ${service} is killed`,
      () => product.status(job.jobId),
      ({ receipt }) => (receipt?.ordersPlaced ?? 0) > seen,
    );
    expect(await product.payment(job.jobId)).toMatchObject({ status: 'active' });
    await ownStack.kill(service, 'SIGKILL');
    await ownStack.restart(service);
  }

  const ended = await until(
    'the end of the job',
    () => product.payment(job.jobId),
    ({ status }) => status !== 'active',
    {
      timeoutMs: 180_000,
    },
  );
  expect(ended.status).toBe('completed');
  await expectProven(product, job.jobId);
  const account = await accountOfWallet(product, job.paymentAddress as Address, token, blockNumber);
  expect(account.otherRecipients).toEqual([]);
  expect(account.feeWei).toBe(parseHype('0.075'));
  expect(account.ordersPlaced).toBeGreaterThanOrEqual(150);
  expect(account.ordersPlaced).toBeLessThanOrEqual(250);
  expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei).toBe(parseHype('0.25'));
  expect(account.balanceWei).toBe(0n);
});
