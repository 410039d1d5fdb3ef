import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnStack } from './own-stack.ts';
import { ProductClient } from './product-client.ts';
import { until } from './until.ts';
import { accountOfWallet } from './wallet-accounts.ts';

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  ownStack = await startOwnStack();
  product = new ProductClient(ownStack.stack);
}, 120_000);

afterAll(() => ownStack?.stop());

it.each(['maker-executor', 'payment-watcher', 'job', 'token-validation', 'api-gateway'] as const)(
  'completes a job with the same sums when %s is killed in its middle and started again (design § 5)',
  { timeout: 240_000 },
  async (service) => {
    const token = product.stack.tokens.both as Address;
    const job = await product.createJob(token, 0.25);
    const { blockNumber } = await product.pay(job.paymentAddress, '0.25');
    await until(
      'the first orders',
      () => product.status(job.jobId),
      ({ receipt }) => (receipt?.ordersPlaced ?? 0) > 20,
    );

    await ownStack.kill(service, 'SIGKILL');
    await ownStack.restart(service);

    const ended = await until(
      'the end of the job',
      () => product.payment(job.jobId),
      ({ status }) => status !== 'active',
      {
        timeoutMs: 180_000,
      },
    );
    expect(ended.status).toBe('completed');
    const account = await accountOfWallet(product, job.paymentAddress as Address, token, blockNumber);
    expect(account.otherRecipients).toEqual([]);
    expect(account.feeWei).toBe(parseHype('0.075'));
    expect(account.ordersPlaced).toBeGreaterThanOrEqual(150);
    expect(account.ordersPlaced).toBeLessThanOrEqual(250);
    expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei).toBe(parseHype('0.25'));
    expect(account.balanceWei).toBe(0n);
  },
);
