import { randomUUID } from 'node:crypto';
import { type CreateJobResponse, IDEMPOTENCY_KEY_HEADER } from '@maker/contracts';
import type { Answer, ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';

/**
 * Creates one job with retries, as a page does without an answer: by the same idempotency key.
 * @returns a function that sends one request
 */
export function oneCreation(
  product: ProductClient,
  tokenAddress: string,
  paymentAmount: number,
): () => Promise<Answer<CreateJobResponse>> {
  const key = { [IDEMPOTENCY_KEY_HEADER]: randomUUID() };
  return () => product.call<CreateJobResponse>('POST', '/jobs/create', { tokenAddress, paymentAmount }, key);
}

/** Creates a job and pays for it. Retries requests that fail. */
export async function createPaidJob(
  product: ProductClient,
  tokenAddress: string,
  amountHype: string,
): Promise<CreateJobResponse> {
  const ask = oneCreation(product, tokenAddress, Number(amountHype));
  const { body: job } = await until('a job', ask, ({ status }) => status < 300);
  await product.pay(job.paymentAddress, amountHype);
  return job;
}
