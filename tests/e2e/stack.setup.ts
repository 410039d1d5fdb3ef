import { join } from 'node:path';
import { type ChainClock, startStack } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { ProductClient, readStack } from '../support/product-client.ts';
import { createJob } from './actions/jobs.ts';

/** Jobs mostly wait for blocks. The chain's clock runs at real speed, since a page counts down to a deadline by its own clock. */
const FOUR_BLOCKS_A_SECOND: ChainClock = { blockMs: 250, secondsPerBlock: 0 };

/** A job of 0.25 HYPE books about a third of the blocks at this pace: several run together, and the product refuses none. */
const EXECUTION_WINDOW_SECONDS = '60';

/** Starts the product for all pages, and pays one real job, so that tests of a trading job need not wait for their own. */
export default async function startProduct(): Promise<() => Promise<void>> {
  const running = await startStack({
    directory: join(WORKSPACE_ROOT, 'test-results', 'stack'),
    ports: 'free',
    clock: FOUR_BLOCKS_A_SECOND,
    environment: { job: { JOB_EXECUTION_WINDOW_SECONDS: EXECUTION_WINDOW_SECONDS } },
  });
  process.env.STACK_FILE = join(running.directory, 'stack.json');
  const product = new ProductClient(readStack());
  const job = await createJob(product, 0.25);
  await product.pay(job.paymentAddress, '0.25');
  process.env.PAID_JOB = JSON.stringify(job);
  return () => running.stop();
}
