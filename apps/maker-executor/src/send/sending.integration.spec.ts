import { rebroadcast } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MakerStage, type PaidJob, RUN_MS, SOON } from '../maker-stage.fixture.ts';
import { STUCK_AFTER_BLOCKS } from './replacement.ts';

const GWEI = 1_000_000_000n;
/** So slow that a test sees each order by itself. */
const SLOW = { MAKER_EXECUTION_WINDOW_SECONDS: '1000000', MAKER_RECONCILE_SECONDS: '1' };

let stage: MakerStage;

beforeAll(async () => {
  stage = await MakerStage.start({ blockSeconds: 0 });
});

afterEach(() => stage.stopMakers());

afterAll(() => stage?.stop());

const mine = (blocks = 1) => stage.client.mine({ blocks });

/** Mines block after block until something holds. */
async function mineUntil(holds: () => Promise<void> | void): Promise<void> {
  await vi.waitFor(
    async () => {
      await mine();
      await holds();
    },
    { timeout: SOON.timeout, interval: 300 },
  );
}

async function feeOf(job: PaidJob) {
  const [fee] = (await stage.receiptOf(job)).transfers;
  if (!fee) throw new Error('no fee yet');
  return fee;
}

/** A job whose fee waits in the mempool. */
async function jobWithPendingFee(): Promise<PaidJob> {
  const job = await stage.paidJob(stage.chain.tokens.both);
  await vi.waitFor(async () => expect(await feeOf(job)).toMatchObject({ status: 'broadcast' }), SOON);
  return job;
}

describe('a transaction in no block', () => {
  it(
    'is sent again as the same bytes when the mempool has lost it (design § 5)',
    async () => {
      await stage.startMaker(SLOW);
      const job = await jobWithPendingFee();
      const { transactionHash } = await feeOf(job);
      await stage.client.dropTransaction({ hash: transactionHash });
      await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final', transactionHash }));
    },
    RUN_MS,
  );

  it(
    'is replaced at its nonce with a higher fee when the base fee rose above what it pays (design § 5)',
    async () => {
      const before = await stage.balance(stage.treasury);
      await stage.startMaker(SLOW);
      const job = await jobWithPendingFee();
      const { transactionHash } = await feeOf(job);
      await stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 8n * GWEI });
      for (let block = 0; block <= STUCK_AFTER_BLOCKS; block += 1) await mine();
      await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final' }));
      const replaced = await feeOf(job);
      expect(replaced.transactionHash).not.toBe(transactionHash);
      expect((await stage.client.getTransaction({ hash: replaced.transactionHash })).nonce).toBe(0);
      expect((await stage.balance(stage.treasury)) - before).toBe((job.depositWei * 3n) / 10n);
    },
    RUN_MS,
  );
});

describe('an operator’s re-broadcast (design § 5)', () => {
  it(
    'sends the saved bytes of what waits again at once, and changes nothing else',
    async () => {
      await stage.startMaker(SLOW);
      const job = await jobWithPendingFee();
      const { transactionHash } = await feeOf(job);
      await stage.client.dropTransaction({ hash: transactionHash });
      const { outcome } = await stage.jobs.app.get(RequestClient).request(rebroadcast, { jobId: job.jobId });
      expect(outcome).toBe('sent again: nonce 0: accepted');
      await mine();
      expect(await stage.client.getTransactionCount({ address: job.wallet })).toBe(1);
      await mineUntil(async () => expect(await feeOf(job)).toMatchObject({ status: 'final', transactionHash }));
    },
    RUN_MS,
  );
});

describe('a wallet whose balance is not what the ledger says (design § 5)', () => {
  async function trading(): Promise<PaidJob> {
    await stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI / 10n });
    await stage.startMaker(SLOW);
    const job = await stage.paidJob(stage.chain.tokens.both);
    await mineUntil(async () => expect((await stage.receiptOf(job)).ordersPlaced).toBeGreaterThan(0));
    return job;
  }

  it(
    'is stopped while money is missing, and goes on when it is there again',
    async () => {
      const job = await trading();
      const held = await stage.balance(job.wallet);
      await stage.client.setBalance({ address: job.wallet, value: held - 1n });
      await mineUntil(async () =>
        expect((await stage.receiptOf(job)).paused).toMatchObject({ reason: 'ledger_drift' }),
      );
      await stage.client.setBalance({ address: job.wallet, value: held });
      await mineUntil(async () => expect((await stage.receiptOf(job)).paused).toBeUndefined());
    },
    RUN_MS,
  );

  it(
    'is credited with money that came later',
    async () => {
      const job = await trading();
      await stage.client.setBalance({ address: job.wallet, value: (await stage.balance(job.wallet)) + 5n });
      const deposit = async () => BigInt((await stage.receiptOf(job)).depositWei);
      await mineUntil(async () => expect(await deposit()).toBe(job.depositWei + 5n));
    },
    RUN_MS,
  );
});
