import { rebroadcast, reconcileJob } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import type { INestMicroservice } from '@nestjs/common';
import type { Address } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { MakerDatabase } from '../database.ts';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { Broadcaster } from '../runner/broadcaster.ts';
import { RUN_MS, SLOW, SOON } from '../stage-times.fixture.ts';
import { STUCK_AFTER_BLOCKS } from './replacement.ts';

const GWEI = 1_000_000_000n;

const own = stageForFile({ blockSeconds: 0 });

const mine = (blocks = 1) => own.stage.client.mine({ blocks });

const mineUntil = (holds: () => Promise<void>) => own.stage.mineUntil(holds, SOON.timeout);

async function feeOf(job: PaidJob) {
  const [fee] = (await own.stage.receiptOf(job)).transfers;
  if (!fee) throw new Error('no fee yet');
  return fee;
}

/** Creates a job whose fee waits in the mempool. */
async function jobWithPendingFee(): Promise<PaidJob> {
  const job = await own.stage.paidJob(own.stage.chain.tokens.both);
  const hash = async () => (await feeOf(job)).transactionHash;
  await vi.waitFor(
    async () => expect(await own.stage.client.getTransaction({ hash: await hash() })).toBeDefined(),
    SOON,
  );
  return job;
}

describe('a transaction in no block', () => {
  it('is resent unchanged when the mempool lost it', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker(SLOW);
    const job = await jobWithPendingFee();
    const { transactionHash } = await feeOf(job);
    await own.stage.client.dropTransaction({ hash: transactionHash });
    await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final', transactionHash }));
  });

  it('is replaced with higher fees above its base fee', { timeout: RUN_MS }, async () => {
    const before = await own.stage.balance(own.stage.treasury);
    await own.stage.startMaker(SLOW);
    const job = await jobWithPendingFee();
    const { transactionHash } = await feeOf(job);
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 8n * GWEI });
    for (let block = 0; block <= STUCK_AFTER_BLOCKS; block += 1) await mine();
    await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final' }));
    const replaced = await feeOf(job);
    expect(replaced.transactionHash).not.toBe(transactionHash);
    expect((await own.stage.client.getTransaction({ hash: replaced.transactionHash })).nonce).toBe(0);
    expect((await own.stage.balance(own.stage.treasury)) - before).toBe((job.depositWei * 3n) / 10n);
  });
});

describe('a node’s answer to a broadcast (design § 5)', () => {
  const saved = async (maker: INestMicroservice, { jobId }: PaidJob) => {
    const [fee] = await maker.get(MakerDatabase).transactions.ofPurposes(jobId, ['fee']);
    if (!fee) throw new Error('no fee yet');
    return fee;
  };

  it('takes `already known` as sent, books `nonce too low` once', { timeout: RUN_MS }, async () => {
    const before = await own.stage.balance(own.stage.treasury);
    const maker = await own.stage.startMaker(SLOW);
    const job = await jobWithPendingFee();
    const fee = await saved(maker, job);
    expect(await maker.get(Broadcaster).again([fee])).toEqual(['known']);
    await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final' }));
    expect(await maker.get(Broadcaster).again([fee])).toEqual(['nonce_used']);
    await mine(STUCK_AFTER_BLOCKS);
    expect((await own.stage.balance(own.stage.treasury)) - before).toBe((job.depositWei * 3n) / 10n);
    expect((await saved(maker, job)).attempts).toHaveLength(1);
  });

  it('waits on `insufficient funds` and sends the same bytes', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker(SLOW);
    const job = await jobWithPendingFee();
    const { transactionHash } = await feeOf(job);
    await own.stage.client.dropTransaction({ hash: transactionHash });
    await own.stage.client.setBalance({ address: job.wallet, value: 1n });
    expect(await maker.get(Broadcaster).again([await saved(maker, job)])).toEqual(['unfunded']);
    for (let block = 0; block <= STUCK_AFTER_BLOCKS * 2; block += 1) await mine();
    expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(0);
    await own.stage.client.setBalance({ address: job.wallet, value: job.depositWei });
    await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final', transactionHash }));
  });

  it('replaces on `underpriced` and books the mined one', { timeout: RUN_MS }, async () => {
    const before = await own.stage.balance(own.stage.treasury);
    const maker = await own.stage.startMaker(SLOW);
    const job = await jobWithPendingFee();
    const original = await saved(maker, job);
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 8n * GWEI });
    await mine();
    expect(await maker.get(Broadcaster).again([original])).not.toEqual(['accepted']);
    await vi.waitFor(
      async () => {
        await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 8n * GWEI });
        await own.stage.client.mine({ blocks: 1 });
        expect((await saved(maker, job)).attempts.length).toBeGreaterThan(1);
      },
      { timeout: SOON.timeout, interval: 300 },
    );
    const [first, ...replacements] = (await saved(maker, job)).attempts;
    if (!first) throw new Error('no attempt');
    await own.stage.stopMakers();
    for (const { hash } of replacements) await own.stage.client.dropTransaction({ hash }).catch(() => undefined);
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI / 10n });
    if ((await own.stage.client.getTransactionCount({ address: job.wallet })) === 0) {
      await mine();
      await own.stage.client
        .sendRawTransaction({ serializedTransaction: first.rawTransaction })
        .catch((error: Error) => expect(error.message).toMatch(/already/));
      await mine();
    }
    await own.stage.startMaker(SLOW);
    await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final' }));
    const mined = await feeOf(job);
    expect((await own.stage.client.getTransaction({ hash: mined.transactionHash })).nonce).toBe(0);
    expect((await own.stage.balance(own.stage.treasury)) - before).toBe((job.depositWei * 3n) / 10n);
  });
});

describe('an order that is stuck below the base fee (design § 5)', () => {
  const HIGH_BASE_FEE_WEI = 8n * GWEI;

  async function mineDear(blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block += 1) {
      await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: HIGH_BASE_FEE_WEI });
      await mine();
    }
  }

  it('waits for cheaper gas and is voided on cancellation', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI / 10n });
    await mine();
    await own.stage.startMaker(SLOW);
    const job = await jobWithPendingFee();
    await mine();
    await vi.waitFor(async () => expect(await feeOf(job)).toMatchObject({ status: 'mined' }), SOON);
    await mine();
    const orders = () => own.stage.ordersOf(job);
    await vi.waitFor(async () => expect(await orders()).toMatchObject([{ status: 'broadcast' }]), SOON);
    const [order] = await orders();
    await mineDear(STUCK_AFTER_BLOCKS * 2);
    expect(await orders()).toMatchObject([{ status: 'broadcast', transactionHash: order?.transactionHash }]);

    await own.stage.jobs.cancel(job.jobId);
    await vi.waitFor(
      async () => {
        await mineDear(1);
        expect(own.stage.jobs.endings(job.jobId)).toMatchObject([{ kind: 'failed', data: { reason: 'cancelled' } }]);
      },
      { timeout: RUN_MS, interval: 300 },
    );
    expect(await orders()).toMatchObject([{ status: 'failed', tokensBought: '0' }]);
    expect((await orders())[0]?.transactionHash).not.toBe(order?.transactionHash);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    const asked = { jobId: job.jobId, walletAddress: job.wallet.toLowerCase() as Address };
    const { verdict, totals } = await own.stage.jobs.app.get(RequestClient).request(reconcileJob, asked);
    expect({ verdict, order: totals.order }).toEqual({ verdict: 'equal', order: '0' });
  });
});

describe('an operator’s re-broadcast (design § 5)', () => {
  it('resends waiting bytes and changes nothing else', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker(SLOW);
    const job = await jobWithPendingFee();
    const { transactionHash } = await feeOf(job);
    await own.stage.client.dropTransaction({ hash: transactionHash });
    const { outcome } = await own.stage.jobs.app.get(RequestClient).request(rebroadcast, { jobId: job.jobId });
    expect(outcome).toBe('sent again: nonce 0: accepted');
    await mine();
    expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(1);
    await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final', transactionHash }));
  });
});

describe('a wallet whose balance differs from the ledger (design § 5)', () => {
  async function trading(): Promise<PaidJob> {
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI / 10n });
    await own.stage.startMaker(SLOW);
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    await mineUntil(async () => expect((await own.stage.receiptOf(job)).ordersPlaced).toBeGreaterThan(0));
    return job;
  }

  it('stops while money is missing, then resumes', { timeout: RUN_MS }, async () => {
    const job = await trading();
    const held = await own.stage.balance(job.wallet);
    await own.stage.client.setBalance({ address: job.wallet, value: held - 1n });
    await mineUntil(async () =>
      expect((await own.stage.receiptOf(job)).paused).toMatchObject({ reason: 'ledger_drift' }),
    );
    await own.stage.client.setBalance({ address: job.wallet, value: held });
    await mineUntil(async () => expect((await own.stage.receiptOf(job)).paused).toBeUndefined());
  });

  it('books money that came later', { timeout: RUN_MS }, async () => {
    const job = await trading();
    await own.stage.client.setBalance({ address: job.wallet, value: (await own.stage.balance(job.wallet)) + 5n });
    const deposit = async () => BigInt((await own.stage.receiptOf(job)).depositWei);
    await mineUntil(async () => expect(await deposit()).toBe(job.depositWei + 5n));
  });
});
