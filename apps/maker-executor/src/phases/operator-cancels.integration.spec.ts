import { randomUUID } from 'node:crypto';
import { executionCancelCommanded, rebroadcast, reconcileJob, setPause } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Connection } from '@maker/persistence';
import { stopCommitment, stopProof } from '@maker/signing/commands';
import type { Address } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { stageForFile } from '../maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';

/** The second order comes 40 s after the first, on our clock. */
const UNHURRIED = { windowSeconds: 5000 };

const own = stageForFile(FAST_CLOCK);

const ask = () => own.stage.jobs.app.get(RequestClient);

describe('an operator (design § 4)', () => {
  it('cancels an active job, delivers and returns', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker(UNHURRIED);
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    await own.stage.placed(job, 1);
    await own.stage.jobs.cancel(job.jobId);
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'cancelled' } });
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    expect(await own.stage.tokensOf(job, job.payer)).toBeGreaterThan(0n);
  });

  it('cancels by the payer’s proof, or a command, alone', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker({ windowSeconds: 250 });
    const stopped = stopProof('stop_one');
    const jobOf = (proof: string) =>
      own.stage.paidJob(own.stage.chain.tokens.both, { stopSecretHash: stopCommitment(proof) });
    const [one, other] = [await jobOf(stopped), await jobOf(stopProof('stop_two'))];
    const jobs = [one, other];
    for (const job of jobs) await own.stage.placed(job, 1);
    await own.stage.jobs.cancel(one.jobId, { stopProof: stopProof('stop_two') });
    await own.stage.jobs.cancel(one.jobId, { commandedBy: randomUUID() });
    await own.stage.jobs.cancel(other.jobId, {});
    for (const job of jobs) await own.stage.placed(job, 3);
    await own.stage.jobs.cancel(one.jobId, { stopProof: stopped });
    expect(await own.stage.ended(one)).toMatchObject({ kind: 'failed', data: { reason: 'cancelled' } });
    await own.stage.command({ action: 'cancel', jobId: other.jobId }, ['anna']);
    const recorded = { type: executionCancelCommanded.type, jobId: other.jobId };
    const [command] = await maker.get(Connection, { strict: false }).collection('outbox').find(recorded).toArray();
    await own.stage.jobs.cancel(other.jobId, { commandedBy: `${command?._id}` });
    expect(await own.stage.ended(other)).toMatchObject({ kind: 'failed', data: { reason: 'cancelled' } });
  });

  it('cancels a paused job without its resume', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker(UNHURRIED);
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    const { jobId } = job;
    await own.stage.placed(job, 1);
    await ask().request(setPause, { jobId, operator: 'spec' });
    await vi.waitFor(async () => expect((await own.stage.receiptOf(job)).paused?.reason).toBe('operator'), SOON);
    await own.stage.jobs.cancel(jobId);
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'cancelled' } });
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    expect(await own.stage.tokensOf(job, job.payer)).toBeGreaterThan(0n);
    expect(own.stage.jobs.pauses(jobId)).toEqual(['paused operator', 'resumed operator']);
  });

  it('cancels a stopped job and holds the rest', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ ...UNHURRIED, MAKER_RECONCILE_SECONDS: '1' });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    const { jobId } = job;
    await own.stage.placed(job, 1);
    const settled = async () => (await own.stage.ordersOf(job)).every(({ status }) => status === 'final');
    await vi.waitFor(async () => expect(await settled()).toBe(true), SOON);
    const left = (await own.stage.balance(job.wallet)) - 7n;
    await own.stage.client.setBalance({ address: job.wallet, value: left });
    await vi.waitFor(async () => expect((await own.stage.receiptOf(job)).paused?.reason).toBe('ledger_drift'), SOON);
    await own.stage.jobs.cancel(jobId);
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'cancelled' } });
    expect(await own.stage.balance(job.wallet)).toBe(left);
    const asked = { jobId, walletAddress: job.wallet.toLowerCase() as Address };
    expect(await ask().request(reconcileJob, asked)).toMatchObject({ verdict: 'equal', totals: { missing: '7' } });
    expect(await own.stage.receiptOf(job)).toMatchObject({
      heldWei: left.toString(),
      heldReason: expect.stringMatching(/0\.000000000000000007 HYPE less than the ledger/),
    });
    await own.stage.release(job, { to: job.payer });
    await vi.waitFor(async () => expect(await own.stage.balance(job.wallet)).toBe(0n), SOON);
    expect(await own.stage.tokensOf(job, job.payer)).toBeGreaterThan(0n);
  });

  it('pauses one job, resumes it, resends what waits', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ windowSeconds: 25 });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    const { jobId } = job;
    await own.stage.placed(job, 3);
    await ask().request(setPause, { jobId, operator: 'spec' });
    await vi.waitFor(async () => expect((await own.stage.receiptOf(job)).paused?.reason).toBe('operator'), SOON);
    const settled = async () => (await own.stage.ordersOf(job)).every(({ status }) => status === 'final');
    await vi.waitFor(async () => expect(await settled()).toBe(true), SOON);
    const { ordersPlaced } = await own.stage.receiptOf(job);
    expect((await ask().request(rebroadcast, { jobId })).outcome).toBe('no transaction waits for a block');
    await own.stage.blocksPass(4);
    expect((await own.stage.receiptOf(job)).ordersPlaced).toBe(ordersPlaced);
    await own.stage.command({ action: 'resume', jobId }, ['anna']);
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    expect(own.stage.jobs.pauses(jobId)).toEqual(expect.arrayContaining(['paused operator', 'resumed operator']));
  });
});
