import { reconcileJob } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { seriesOf } from '../metrics/series-of.fixture.ts';
import { RUN_MS, SLOW } from '../stage-times.fixture.ts';

const own = stageForFile({ blockSeconds: 0 });

const mine = (blocks = 1) => own.stage.client.mine({ blocks });
const height = async () => Number(await own.stage.client.getBlockNumber());

/** Reverts to a block, and mines another branch that is higher than the old one. */
async function reorganise(toBlock: number): Promise<void> {
  const depth = (await height()) - toBlock;
  await own.stage.client.request({ method: 'anvil_rollback', params: [depth] } as never);
  // Blocks of the new branch have other timestamps, as on a real chain.
  await own.stage.client.increaseTime({ seconds: 1 });
  await mine(depth + 1);
}

/** Amounts without gas, because another branch may have another base fee. */
/** The transfers of a job without what another block changes. */
const transfersOf = async (job: PaidJob) =>
  (await own.stage.receiptOf(job)).transfers.map(({ gasWei: _, blockNumber: _block, minedAt: _time, ...same }) => same);

const reconciliation = ({ jobId, wallet }: Pick<PaidJob, 'jobId' | 'wallet'>) =>
  own.stage.jobs.app
    .get(RequestClient)
    .request(reconcileJob, { jobId, walletAddress: wallet.toLowerCase() as Address });

/** Creates a job with a final fee and a final order. @returns it with the block before its first transaction */
async function tradingJob() {
  const maker = await own.stage.startMaker(SLOW);
  const job = await own.stage.paidJob(own.stage.chain.tokens.both);
  await mine();
  const before = await height();
  await own.stage.mineUntil(async () => expect((await own.stage.receiptOf(job)).ordersPlaced).toBe(1));
  return { job, before, maker };
}

describe('a reorganisation deeper than the confirmations (design §§ 4 and 5)', () => {
  it('reopens final transactions and resends the same bytes', { timeout: RUN_MS * 2 }, async () => {
    const treasury = await own.stage.balance(own.stage.treasury);
    const { job, before } = await tradingJob();
    const [fee] = await transfersOf(job);
    await reorganise(before);
    expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(0);
    await own.stage.mineUntil(async () => expect((await own.stage.ordersOf(job))[0]?.status).not.toBe('final'));
    await own.stage.mineUntil(async () => expect((await own.stage.ordersOf(job))[0]?.status).toBe('final'));
    await own.stage.mineUntil(async () => expect((await own.stage.receiptOf(job)).paused).toBeUndefined());
    expect(await transfersOf(job)).toEqual([fee]);
    expect((await own.stage.balance(own.stage.treasury)) - treasury).toBe((job.depositWei * 3n) / 10n);
    const { verdict, usedNonces, signedNonces } = await reconciliation(job);
    expect({ verdict, usedNonces }).toEqual({ verdict: 'equal', usedNonces: signedNonces });
  });

  it('is found by a process that was down', { timeout: RUN_MS * 2 }, async () => {
    const { job, before } = await tradingJob();
    const [fee] = await transfersOf(job);
    await own.stage.stopMakers();
    await reorganise(before);
    await own.stage.startMaker(SLOW);
    await own.stage.mineUntil(async () =>
      expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(2),
    );
    await own.stage.mineUntil(async () => expect((await reconciliation(job)).verdict).toBe('equal'));
    expect(await transfersOf(job)).toEqual([fee]);
  });

  it('stops a wallet until its deposit is back', { timeout: RUN_MS * 2 }, async () => {
    const { job, before } = await tradingJob();
    await own.stage.client.setBalance({ address: job.wallet, value: 0n });
    await reorganise(before);
    await own.stage.client.setBalance({ address: job.wallet, value: 0n });
    await own.stage.mineUntil(async () => expect((await own.stage.receiptOf(job)).paused?.reason).toBe('ledger_drift'));
    await mine(10);
    expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(0);
    await own.stage.client.setBalance({ address: job.wallet, value: job.depositWei });
    await own.stage.mineUntil(async () => expect((await own.stage.receiptOf(job)).paused).toBeUndefined());
    expect(await reconciliation(job)).toMatchObject({
      verdict: 'equal',
      totals: { deposit: job.depositWei.toString() },
    });
  });

  it('ends a cancelled job after its deposit left', { timeout: RUN_MS * 2 }, async () => {
    const { job, before } = await tradingJob();
    await reorganise(before);
    await own.stage.client.setBalance({ address: job.wallet, value: 0n });
    await own.stage.mineUntil(async () => expect((await own.stage.receiptOf(job)).paused?.reason).toBe('ledger_drift'));
    await own.stage.jobs.cancel(job.jobId);
    await own.stage.mineUntil(() => expect(own.stage.jobs.endings(job.jobId)).toHaveLength(1));
    expect(own.stage.jobs.endings(job.jobId)).toMatchObject([{ kind: 'failed', data: { reason: 'cancelled' } }]);
    const { totals, differenceWei } = await reconciliation(job);
    expect(totals).toMatchObject({ missing: job.depositWei.toString(), fee: '0', order: '0' });
    expect(differenceWei).toBe('0');
    expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(0);
  });

  it('reports no ended job as paused or stuck', { timeout: RUN_MS * 2 }, async () => {
    const { job, before, maker } = await tradingJob();
    await reorganise(before);
    await own.stage.client.setBalance({ address: job.wallet, value: 0n });
    await own.stage.jobs.cancel(job.jobId);
    await own.stage.mineUntil(() => expect(own.stage.jobs.endings(job.jobId)).toHaveLength(1));
    const ended = await height();
    await own.stage.mineUntil(async () => expect(await height()).toBeGreaterThan(ended + 5));
    expect((await own.stage.receiptOf(job)).paused).toBeUndefined();
    await vi.waitFor(
      async () => {
        const waiting = await seriesOf(maker, 'maker_execution_paused');
        expect(waiting.filter(({ value }) => value > 0)).toEqual([]);
        expect(await seriesOf(maker, 'maker_wallet_oldest_unconfirmed_seconds')).toMatchObject([{ value: 0 }]);
      },
      { timeout: RUN_MS, interval: 1000 },
    );
  });

  it('stops a job after its deposit left before the fee', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.startMaker(SLOW);
    await own.stage.client.setAutomine(false);
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    await own.stage.client.setBalance({ address: job.wallet, value: 1n });
    await own.stage.mineUntil(async () => expect((await own.stage.receiptOf(job)).paused?.reason).toBe('ledger_drift'));
    expect(await transfersOf(job)).toEqual([]);
    await own.stage.client.setBalance({ address: job.wallet, value: job.depositWei });
    await own.stage.mineUntil(async () => expect((await transfersOf(job))[0]?.status).toBe('final'));
    expect((await own.stage.receiptOf(job)).paused).toBeUndefined();
  });

  it('pays a return once after both transactions left', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.startMaker(SLOW);
    const amountWei = parseHype('0.1');
    const job = await own.stage.unpaidJob(amountWei);
    await mine();
    const before = await height();
    await own.stage.jobs.returnDue(job.jobId, {
      returnId: `${job.jobId}/return`,
      amountWei: amountWei.toString(),
      walletAddress: job.wallet,
      walletIndex: job.walletIndex,
      tokenAddress: job.token,
      depositIds: ['one'],
      to: job.payer,
      activated: false,
      blockNumber: before,
    });
    await own.stage.mineUntil(() => expect(own.stage.jobs.returns(job.jobId)).toHaveLength(1));
    const returned = await own.stage.balance(job.payer);
    await reorganise(before);
    expect(await own.stage.balance(job.payer)).toBe(0n);
    await own.stage.mineUntil(async () => expect(await own.stage.balance(job.payer)).toBe(returned));
    await own.stage.mineUntil(async () => expect((await reconciliation(job)).verdict).toBe('equal'));
    expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(1);
    expect(own.stage.jobs.returns(job.jobId)).toHaveLength(1);
  });
});
