import { strictEqual as equal, deepStrictEqual as same } from 'node:assert';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import type { ProductClient } from '../../support/product-client.ts';
import { until } from '../../support/until.ts';
import { accountOfWallet } from '../../support/wallet-accounts.ts';

const JOB_MS = 900_000;
const AMOUNT = '0.25';

/** A paid job. */
export interface PaidJob {
  readonly jobId: string;
  readonly paymentAddress: string;
  /** Block of the payment. */
  readonly block: bigint;
}

/** Creates a job without a payment. */
export function createJob(product: ProductClient): Promise<Omit<PaidJob, 'block'>> {
  return product.createJob(product.stack.tokens.both, Number(AMOUNT));
}

/** Pays for a job, and waits until the product has seen the payment. */
export async function payFor(
  product: ProductClient,
  { jobId, paymentAddress }: Omit<PaidJob, 'block'>,
): Promise<PaidJob> {
  const { blockNumber } = await product.pay(paymentAddress, AMOUNT);
  const seen = await until(
    'the payment',
    async () => ({
      // A request may fail while pods are down.
      payment: await product.payment(jobId).catch(() => undefined),
      head: await product.chain.getBlockNumber(),
    }),
    ({ payment }) => payment?.paymentReceived === true,
    { everyMs: 100 },
  );
  console.log(`job ${jobId}: paid in block ${blockNumber}, seen at block ${seen.head}`);
  return { jobId, paymentAddress, block: blockNumber };
}

/** Creates a job and pays for it. */
export async function createPaidJob(product: ProductClient): Promise<PaidJob> {
  return payFor(product, await createJob(product));
}

/** Asserts that a job is still active. @param what step that would be too late otherwise */
export async function expectOpen(product: ProductClient, { jobId }: PaidJob, what: string): Promise<void> {
  equal((await product.payment(jobId)).status, 'active', `the job was over before ${what}`);
}

/** Waits for a job's end and compares its sums with the chain (design § 5: every wei). */
export async function expectCompleted(product: ProductClient, job: PaidJob): Promise<void> {
  const ended = await product.ended(job.jobId, { timeoutMs: JOB_MS, everyMs: 1000 });
  equal(ended.status, 'completed');
  const { both } = product.stack.tokens;
  const account = await accountOfWallet(product, job.paymentAddress as Address, both as Address, job.block);
  const deposit = parseHype(AMOUNT);
  same(account.otherRecipients, []);
  equal(account.feeWei, (deposit * 30n) / 100n);
  equal(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei + account.balanceWei, deposit);
  equal(account.balanceWei, 0n);
  console.log(`job ${job.jobId}: completed, ${account.ordersPlaced} orders, every wei accounted for`);
}
