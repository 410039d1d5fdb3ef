import { HeadFeed } from '@maker/chain';
import { reconcileJob, setPause } from '@maker/contracts';
import type { TransactionPurpose } from '@maker/execution-records';
import { RequestClient } from '@maker/messaging';
import type { INestMicroservice } from '@nestjs/common';
import type { Address } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { EVENTUALLY, FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';
import { Broadcaster } from './broadcaster.ts';

const GWEI = 1_000_000_000n;

/** Time from a job's start to its latest end, s. */
const LASTS_SECONDS = 1200;

const own = stageForFile(FAST_CLOCK);

async function paidJob(): Promise<PaidJob> {
  const { timestamp } = await own.stage.client.getBlock();
  const latestEndAt = new Date((Number(timestamp) + LASTS_SECONDS) * 1000).toISOString();
  const plan = await own.stage.plan({ slotMs: 5000, latestEndAt }, { tradingMs: (LASTS_SECONDS / 2) * 1000 });
  return own.stage.paidJob(own.stage.chain.tokens.both, { plan });
}

const untilLatestEnd = () => own.stage.client.increaseTime({ seconds: LASTS_SECONDS });

const ask = () => own.stage.jobs.app.get(RequestClient);

function reconciled({ jobId, wallet }: PaidJob) {
  return ask().request(reconcileJob, { jobId, walletAddress: wallet.toLowerCase() as Address });
}

async function expectAccounted(job: PaidJob): Promise<void> {
  const { feeWei, tradedWei, gasWei, returnedWei, heldWei, ordersPlaced, transfers } = await own.stage.receiptOf(job);
  const paidFee = transfers.some(({ kind, status }) => kind === 'fee' && status === 'final') ? BigInt(feeWei) : 0n;
  const sums = [tradedWei, gasWei, returnedWei, heldWei].reduce((sum, wei) => sum + BigInt(wei), paidFee);
  expect(sums).toBe(job.depositWei);
  expect(await own.stage.balance(job.wallet)).toBe(BigInt(heldWei));
  expect(await own.stage.tokensOf(job, job.payer)).toBeGreaterThanOrEqual(ordersPlaced > 0 ? 1n : 0n);
}

/** Checks that all is settled, and that a release by operators sends the held money to the payer. */
async function expectReleasable(job: PaidJob): Promise<void> {
  const settled = async () => {
    const { verdict, chainWei, heldWei } = await reconciled(job);
    expect({ verdict, heldWei }).toEqual({ verdict: 'equal', heldWei: chainWei });
  };
  await vi.waitFor(settled, EVENTUALLY);
  await own.stage.release(job);
  await vi.waitFor(async () => expect(await own.stage.balance(job.wallet)).toBe(0n), EVENTUALLY);
  await vi.waitFor(() => expectAccounted(job), SOON);
}

/** Blocks the broadcast of one kind of transactions. `signed` resolves once one is signed; `unblock` lets them out again. */
function blockBroadcast(maker: INestMicroservice, purpose: TransactionPurpose) {
  const broadcaster = maker.get(Broadcaster);
  const { promise: signed, resolve } = Promise.withResolvers<void>();
  const broadcast: Broadcaster['broadcast'] = async (transactions, ...more) => {
    if (!transactions.some((transaction) => transaction.purpose === purpose))
      return Broadcaster.prototype.broadcast.call(broadcaster, transactions, ...more);
    resolve();
    return [];
  };
  Object.assign(broadcaster, { broadcast });
  return { signed, unblock: () => Reflect.deleteProperty(broadcaster, 'broadcast') };
}

describe('the published latest end (design § 4)', () => {
  it.each([
    ['fee', 'failed', 'technical'],
    ['order', 'failed', 'technical'],
    ['delivery', 'failed', 'cancelled'],
  ] as const)(
    'passes a stuck %s: holds the rest, settles it later',
    async (purpose, kind, reason) => {
      const { signed, unblock } = blockBroadcast(await own.stage.startMaker(), purpose);
      const job = await paidJob();
      if (purpose === 'delivery') {
        await own.stage.placed(job, 1);
        await own.stage.jobs.cancel(job.jobId);
      }
      await signed;
      await untilLatestEnd();
      expect(await own.stage.ended(job)).toMatchObject({ kind, data: { reason } });
      expect((await own.stage.receiptOf(job)).heldReason).toMatch(/latest end/);
      unblock();
      await expectReleasable(job);
    },
    RUN_MS,
  );

  it('passes a stuck return without holding its HYPE twice', { timeout: RUN_MS }, async () => {
    const { signed, unblock } = blockBroadcast(await own.stage.startMaker(), 'return');
    const job = await paidJob();
    await own.stage.placed(job, 1);
    await own.stage.jobs.cancel(job.jobId);
    await signed;
    await untilLatestEnd();
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'cancelled' } });
    expect((await own.stage.receiptOf(job)).heldReason).toBeUndefined();
    expect((await reconciled(job)).heldWei).toBe('0');
    unblock();
    await vi.waitFor(async () => expect(await own.stage.balance(job.wallet)).toBe(0n), EVENTUALLY);
    await vi.waitFor(() => expectAccounted(job), SOON);
    expect(await own.stage.balance(job.payer)).toBe(BigInt((await own.stage.receiptOf(job)).returnedWei));
  });

  it('ends a job while an operator pauses all jobs', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const job = await paidJob();
    await own.stage.placed(job, 1);
    await ask().request(setPause, { operator: 'spec' });
    await untilLatestEnd();
    expect(await own.stage.ended(job)).toMatchObject({
      kind: 'completed',
      data: { heldReason: expect.stringMatching(/latest end/) },
    });
    await own.stage.command({ action: 'resume_all' });
    await expectReleasable(job);
  });

  it('ends a job while gas is above every limit', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker();
    const job = await paidJob();
    await own.stage.placed(job, 1);
    const paused = async () => (await own.stage.receiptOf(job)).paused?.reason;
    // The base fee falls by an eighth with each empty block.
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n * GWEI });
    await expect.poll(paused, SOON).toBe('gas_guardrail');
    await untilLatestEnd();
    expect(await own.stage.ended(job)).toMatchObject({ data: { heldReason: expect.stringMatching(/latest end/) } });
    expect(await paused()).toBeUndefined();
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI });
    // The executor estimates the cost of a release at the head that it has read.
    await expect.poll(() => maker.get(HeadFeed).head?.baseFeeWei, SOON).toBeLessThanOrEqual(GWEI);
    await expectReleasable(job);
  });

  it('leaves a restarted process time to send everything', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker();
    const job = await paidJob();
    await own.stage.placed(job, 1);
    await own.stage.crash(maker);
    await untilLatestEnd();
    await own.stage.startMaker();
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    expect((await own.stage.receiptOf(job)).heldReason).toBeUndefined();
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    await expectAccounted(job);
  });
});
