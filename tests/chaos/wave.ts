import type { CreateJobResponse, JobStatusResponse } from '@maker/contracts';
import { ACCOUNT_INDEX, demoAccount } from '@maker/local-stack';
import { payThroughContract } from '../support/forwarder.ts';
import type { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import type { ChaosJob } from './invariants.ts';
import { oneCreation } from './patient-visitor.ts';

/** Services may be dead and restarting. */
const PATIENCE_MS = 120_000;

const FULL_HYPE = 0.16;
const EXTRA_HYPE = '0.011';
const UNDER_HYPE = '0.05';
const LATE_HYPE = '0.02';

/**
 * Jobs that together pass every step of detecting and sending. One is paid in full and again while it runs, one is underpaid and paid
 * again after its deadline, and one is paid from a contract without a known payer.
 * @returns them when all money was sent; the product still processes it
 */
export async function runWave(product: ProductClient): Promise<readonly ChaosJob[]> {
  const sinceBlock = Number(await product.chain.getBlockNumber());
  const jobs = await Promise.all([paidTwice(product), paidTooLittleAndLate(product), paidByAContract(product)]);
  return jobs.map(({ jobId }) => ({ jobId, sinceBlock }));
}

async function paidTwice(product: ProductClient): Promise<CreateJobResponse> {
  const job = await create(product, product.stack.tokens.both);
  await product.pay(job.paymentAddress, String(FULL_HYPE));
  const started = ({ status, receipt }: JobStatusResponse) =>
    (receipt?.ordersPlaced ?? 0) > 0 || (status !== 'pending_payment' && status !== 'active');
  await until(
    'orders, or the end',
    () => statusOf(product, job),
    (seen) => seen !== undefined && started(seen),
    {
      timeoutMs: PATIENCE_MS,
    },
  );
  await product.pay(job.paymentAddress, EXTRA_HYPE);
  return job;
}

async function paidTooLittleAndLate(product: ProductClient): Promise<CreateJobResponse> {
  const job = await create(product, product.stack.tokens.v2Only);
  await product.pay(job.paymentAddress, UNDER_HYPE);
  await until(
    'the deadline',
    () => product.chain.getBlock(),
    ({ timestamp }) => Number(timestamp) * 1000 > Date.parse(job.paymentDeadline),
    { timeoutMs: PATIENCE_MS },
  );
  await product.pay(job.paymentAddress, LATE_HYPE);
  return job;
}

async function paidByAContract(product: ProductClient): Promise<CreateJobResponse> {
  const job = await create(product, product.stack.tokens.v3Only);
  await payThroughContract(product, job.paymentAddress, UNDER_HYPE, demoAccount(ACCOUNT_INDEX.spare));
  return job;
}

/** Creates one job with retries, also while the API does not answer. */
async function create(product: ProductClient, tokenAddress: string): Promise<CreateJobResponse> {
  const ask = oneCreation(product, tokenAddress, FULL_HYPE);
  const answer = await until(
    'a job',
    () => ask().catch(() => undefined),
    (seen) => seen !== undefined && seen.status < 300,
    {
      timeoutMs: PATIENCE_MS,
    },
  );
  if (!answer) throw new Error('no job was created');
  return answer.body;
}

/** @returns undefined while the API cannot answer */
function statusOf(product: ProductClient, { jobId }: CreateJobResponse): Promise<JobStatusResponse | undefined> {
  return product.status(jobId).catch(() => undefined);
}
