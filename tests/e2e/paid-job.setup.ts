import { ProductClient, readStack } from '../support/product-client.ts';
import { createJob } from './actions/jobs.ts';

/** Pays one real job before the tests begin, so that those that look at a trading job need not each wait for one. */
export default async function payOneJob(): Promise<void> {
  // Tests of the site alone run without a stack.
  if (!process.env.STACK_FILE) return;
  const product = new ProductClient(readStack());
  const job = await createJob(product, 0.25);
  await product.pay(job.paymentAddress, '0.25');
  process.env.PAID_JOB = JSON.stringify(job);
}
