import { SERVICES } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { accountOfWallet } from '../support/wallet-accounts.ts';

// Long enough that a busy machine starts every service anew before the job ends.
const own = ownStackForFile(360);

it('completes a job though every service is killed', {
  timeout: 300_000,
}, async () => {
  const token = own.product.stack.tokens.both as Address;
  const job = await own.product.createJob(token, 0.25);
  const { blockNumber } = await own.product.pay(job.paymentAddress, '0.25');

  for (const service of SERVICES) {
    const seen = (await own.product.status(job.jobId)).receipt?.ordersPlaced ?? 0;
    await until(
      `an order before ${service} is killed`,
      () => own.product.status(job.jobId),
      ({ receipt }) => (receipt?.ordersPlaced ?? 0) > seen,
    );
    expect(await own.product.payment(job.jobId)).toMatchObject({ status: 'active' });
    await own.running.kill(service, 'SIGKILL');
    await own.running.restart(service);
  }

  const ended = await own.product.ended(job.jobId, { timeoutMs: 180_000 });
  expect(ended.status).toBe('completed');
  await expectProven(own.product, job.jobId);
  const account = await accountOfWallet(own.product, job.paymentAddress as Address, token, blockNumber);
  expect(account.otherRecipients).toEqual([]);
  expect(account.feeWei).toBe(parseHype('0.075'));
  expect(account.ordersPlaced).toBeGreaterThanOrEqual(150);
  expect(account.ordersPlaced).toBeLessThanOrEqual(250);
  expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei).toBe(parseHype('0.25'));
  expect(account.balanceWei).toBe(0n);
});
