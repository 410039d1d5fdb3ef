import { randomUUID } from 'node:crypto';
import { type CreateJobResponse, IDEMPOTENCY_KEY_HEADER } from '@maker/contracts';
import type { ProductClient } from '../system/product-client.ts';
import { until } from '../system/until.ts';

/** Creates a job and pays for it. A page that gets no answer asks again under the same key, and so gets one job. */
export async function createPaidJob(
  product: ProductClient,
  tokenAddress: string,
  amountHype: string,
): Promise<CreateJobResponse> {
  const key = { [IDEMPOTENCY_KEY_HEADER]: randomUUID() };
  const body = { tokenAddress, paymentAmount: Number(amountHype) };
  const ask = () => product.call<CreateJobResponse>('POST', '/jobs/create', body, key);
  const { body: job } = await until('a job', ask, ({ status }) => status < 300);
  await product.pay(job.paymentAddress, amountHype);
  return job;
}
