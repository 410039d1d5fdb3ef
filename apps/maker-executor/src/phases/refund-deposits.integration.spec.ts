import { reconcileJob, setPause } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import type { Address } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { stageForFile } from '../maker-stage.fixture.ts';
import { Broadcaster } from '../runner/broadcaster.ts';
import { FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';
import { returnsOn } from './refund-due.fixture.ts';

const SOME = parseHype('0.1');

const own = stageForFile(FAST_CLOCK);
const { ask, due, answered, receiptOf } = returnsOn(own);

describe('money of a job that never ran (design § 4)', () => {
  it('is returned once, less gas to the wei', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    await due(job, SOME, job.payer, job);
    const [returned] = await answered(job.jobId, ['returned']);
    const receipt = await receiptOf(job);
    expect(await own.stage.balance(job.payer)).toBe(BigInt(returned?.returnedWei ?? '0'));
    expect(BigInt(returned?.returnedWei ?? '0') + BigInt(receipt.gasWei)).toBe(SOME);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    expect(receipt).toMatchObject({
      heldWei: '0',
      returnedWei: returned?.returnedWei,
      ordersPlaced: 0,
      plannedOrders: 0,
    });
    expect(receipt.transfers).toMatchObject([{ kind: 'return', status: 'final', to: job.payer }]);
  });

  it('holds dust and unknown senders until a release', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const dust = await own.stage.unpaidJob(1n);
    await due(dust, 1n, dust.payer, dust);
    const contract = await own.stage.unpaidJob(SOME);
    await due(contract, SOME, null, contract);
    expect((await answered(dust.jobId, ['held']))[0]?.reason).toMatch(/too small/);
    expect((await answered(contract.jobId, ['held']))[0]?.reason).toBe('it came from a contract');
    expect(await receiptOf(contract)).toMatchObject({
      heldWei: SOME.toString(),
      heldReason: 'it came from a contract',
    });
    expect(await own.stage.balance(dust.wallet)).toBe(1n);

    await expect(own.stage.release(contract)).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
    const { jobId } = contract;
    await own.stage.release(contract, { to: contract.payer });
    await answered(jobId, ['held', 'released', 'returned']);
    const { returnedWei, gasWei, heldReason } = await receiptOf(contract);
    expect(BigInt(returnedWei) + BigInt(gasWei)).toBe(SOME);
    expect(heldReason).toBeUndefined();
    expect(await own.stage.balance(contract.payer)).toBe(BigInt(returnedWei));
    await expect(own.stage.release(contract)).rejects.toMatchObject({
      code: 'NOT_POSSIBLE_NOW',
      message: expect.stringMatching(/Nothing/),
    });
  });

  it('waits visibly while an operator pauses all jobs', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    await ask().request(setPause, { operator: 'spec' });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    await vi.waitFor(async () => expect((await receiptOf(job)).paused?.reason).toBe('operator'), SOON);
    await own.stage.blocksPass(4);
    expect(await own.stage.balance(job.wallet)).toBe(SOME);
    await own.stage.command({ action: 'resume_all' });
    await answered(job.jobId, ['returned']);
  });
});

describe('a return (design § 5)', () => {
  it('sends the same bytes once after a crash', { timeout: RUN_MS }, async () => {
    const first = await own.stage.startMaker();
    Object.assign(first.get(Broadcaster), { broadcast: () => Promise.reject(new Error('the process died here')) });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    const transfers = async () => (await receiptOf(job)).transfers;
    await vi.waitFor(async () => expect(await transfers()).toMatchObject([{ status: 'signed' }]), SOON);
    const [signed] = await transfers();
    await own.stage.crash(first);
    await own.stage.startMaker();
    await answered(job.jobId, ['returned']);
    expect(await transfers()).toMatchObject([{ status: 'final', transactionHash: signed?.transactionHash }]);
    expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(1);
  });

  it('is sent once by two concurrent processes', { timeout: RUN_MS }, async () => {
    await Promise.all([own.stage.startMaker(), own.stage.startMaker()]);
    const jobs = await Promise.all(Array.from({ length: 4 }, () => own.stage.unpaidJob(SOME)));
    await Promise.all(jobs.map((job) => due(job, SOME, job.payer, job)));
    for (const job of jobs) {
      const [returned] = await answered(job.jobId, ['returned']);
      expect(await own.stage.balance(job.payer)).toBe(BigInt(returned?.returnedWei ?? '0'));
      expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(1);
    }
  });
});

describe('a wallet at rest (design § 5)', () => {
  it('stops on missing money and resumes when back', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, null, job);
    await answered(job.jobId, ['held']);
    await own.stage.client.setBalance({ address: job.wallet, value: SOME - 5n });
    await vi.waitFor(async () => expect((await receiptOf(job)).paused?.reason).toBe('ledger_drift'), SOON);
    const asked = { jobId: job.jobId, walletAddress: job.wallet.toLowerCase() as Address };
    const { verdict, differenceWei, explanation } = await ask().request(reconcileJob, asked);
    expect({ verdict, differenceWei }).toEqual({ verdict: 'missing', differenceWei: '-5' });
    expect(explanation.join(' ')).toMatch(/less than the ledger.*is stopped/);
    const metrics = await maker.get(MetricsRegistry).metrics();
    expect(metrics).toMatch(/maker_\w*drift\w*\{[^}]*missing[^}]*\} [1-9]/);
    await own.stage.client.setBalance({ address: job.wallet, value: SOME });
    await vi.waitFor(async () => expect((await receiptOf(job)).paused).toBeUndefined(), SOON);
  });

  it('writes off lost money on an operator’s release', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, null, job);
    await answered(job.jobId, ['held']);
    await own.stage.client.setBalance({ address: job.wallet, value: 0n });
    await vi.waitFor(async () => expect((await receiptOf(job)).paused?.reason).toBe('ledger_drift'), SOON);
    await own.stage.release(job, { to: job.payer });
    const [, gone] = await answered(job.jobId, ['held', 'held']);
    expect(gone).toMatchObject({ absent: true, reason: expect.stringMatching(/no longer on the chain/) });
    const asked = { jobId: job.jobId, walletAddress: job.wallet.toLowerCase() as Address };
    const missing = { verdict: 'equal', totals: { missing: SOME.toString(), held: SOME.toString() } };
    expect(await ask().request(reconcileJob, asked)).toMatchObject(missing);
    await vi.waitFor(async () => expect((await receiptOf(job)).paused).toBeUndefined(), SOON);
    expect(await receiptOf(job)).toMatchObject({ heldWei: '0' });
  });

  it('reports a rise that only the ledger finds', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    await answered(job.jobId, ['returned']);
    await own.stage.client.setBalance({ address: job.wallet, value: 77n });
    own.stage.jobs.explanations.completeToBlock = Number.MAX_SAFE_INTEGER;
    const [, found] = await answered(job.jobId, ['returned', 'surplus']);
    expect(found?.amountWei).toBe('77');
    own.stage.jobs.explanations.completeToBlock = -1;
  });
});
