import { jobActivated, type OperatorJobResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { MongoClient } from 'mongodb';
import { type Address, erc20Abi } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';
import { recordEvent } from './false-events.ts';

const PAID = 0.25;
const PATIENCE = { timeoutMs: 180_000 };

const own = ownStackForFile(20);
const thief = privateKeyToAddress(generatePrivateKey());

/** A service's database, with the rights of its user. */
async function as<Result>(database: string, use: (client: ReturnType<MongoClient['db']>) => Promise<Result>) {
  const client = new MongoClient(own.running.stack.mongoUrl);
  try {
    return await use(client.db(database));
  } finally {
    await client.close();
  }
}

async function loot() {
  const token = own.running.stack.tokens.both as Address;
  const { chain } = own.product;
  return {
    tokens: await chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [thief] }),
    wei: await chain.getBalance({ address: thief }),
  };
}

/** Expects that the executor has refused a job: all money is in its wallet, which has sent nothing. */
async function expectRefused({ jobId, paymentAddress }: { jobId: string; paymentAddress: string }): Promise<void> {
  const address = paymentAddress as Address;
  const find = () => as('maker_executor', (db) => db.collection<{ _id: string }>('executions').findOne({ _id: jobId }));
  const execution = await until('the execution', find, (row) => row !== null, PATIENCE);
  expect(execution).toMatchObject({
    phase: 'refused',
    heldReason: expect.stringMatching(/^it differs from the agreement/),
  });
  expect(await own.product.chain.getTransactionCount({ address })).toBe(0);
  expect(await loot()).toEqual({ tokens: 0n, wei: 0n });
}

it('job’s database user activates no job for a thief', { timeout: 240_000 }, async () => {
  const job = await own.product.createJob(own.running.stack.tokens.both, PAID);
  const { plan } = await own.product.status(job.jobId);
  const { job: row } = await own.product.operate<OperatorJobResponse>('GET', `/jobs/${job.jobId}`);
  if (!plan) throw new Error(`${job.jobId} has no plan`);
  const { slotMs, tradingEndsAt, latestEndAt, limits, purchase } = plan;
  await recordEvent(own, 'job', jobActivated, job.jobId, {
    tokenAddress: own.running.stack.tokens.both,
    walletAddress: job.paymentAddress,
    walletIndex: row.walletIndex,
    depositWei: `${parseHype(`${PAID}`)}`,
    returnAddress: thief,
    plan: { slotMs, tradingEndsAt, latestEndAt, seenPriceX96: purchase.seenPriceX96, ...limits },
  });
  await expectRefused(job);
});

it('job’s database user redirects no unpaid job', { timeout: 240_000 }, async () => {
  const job = await own.product.createJob(own.running.stack.tokens.both, PAID);
  const change = { returnAddress: thief, requestedReturnAddress: thief };
  await as('job', (db) => db.collection<{ _id: string }>('jobs').updateOne({ _id: job.jobId }, { $set: change }));
  await own.product.pay(job.paymentAddress, `${PAID}`);
  await expectRefused(job);
});

it('the executor’s database user redirects no running job', { timeout: 400_000 }, async () => {
  const job = await own.product.createJob(own.running.stack.tokens.both, PAID);
  await own.product.pay(job.paymentAddress, `${PAID}`);
  const placed = async () => (await own.product.status(job.jobId)).receipt?.ordersPlaced ?? 0;
  await until('an order', placed, (orders) => orders > 0, PATIENCE);
  // The next owner of the wallet reads the row again.
  await own.running.kill('maker-executor', 'SIGKILL');
  const change = { returnAddress: thief, 'payerClaim.payer': thief, 'payerClaim.isProven': true };
  await as('maker_executor', (db) =>
    db.collection<{ _id: string }>('executions').updateOne({ _id: job.jobId }, { $set: change }),
  );
  await own.running.restart('maker-executor');
  await own.product.ended(job.jobId, PATIENCE);
  const { receipt } = await own.product.status(job.jobId);
  expect(receipt?.heldReason).toMatch(/it differs from the agreement: its recipient is not the agreed one/);
  expect(await loot()).toEqual({ tokens: 0n, wei: 0n });
});
