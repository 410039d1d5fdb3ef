import { randomBytes } from 'node:crypto';
import type { StackDescription } from '@maker/local-stack';
import { MongoClient } from 'mongodb';
import { getAddress } from 'viem';
import { ProductClient } from '../support/product-client.ts';

/** Ids of many unpaid jobs: one created by the API, and copies of its row. */
export async function manyJobs(stack: StackDescription, count: number): Promise<string[]> {
  const { jobId } = await new ProductClient(stack).createJob(stack.tokens.both, 0.5);
  const mongo = new MongoClient(stack.mongoUrl, { directConnection: true });
  try {
    const rows = mongo.db('job').collection<{ _id: string; idempotency?: object }>('jobs');
    // No two jobs have the same idempotency key.
    const { idempotency: _, ...first } = (await rows.findOne({ _id: jobId })) ?? {};
    const others = Array.from({ length: count - 1 }, (_, index) => ({
      ...first,
      _id: `job_${randomBytes(16).toString('hex')}`,
      // Negative, so that the service's counter never reaches it.
      walletIndex: -1 - index,
      paymentAddress: getAddress(`0x${randomBytes(20).toString('hex')}`),
    }));
    if (others.length > 0) await rows.insertMany(others);
    return [jobId, ...others.map(({ _id }) => _id)];
  } finally {
    await mongo.close();
  }
}
