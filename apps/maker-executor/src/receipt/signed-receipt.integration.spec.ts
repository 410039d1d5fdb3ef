import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setPause } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';
import { fileOf, judge } from './receipt-files.fixture.ts';

const run = promisify(execFile);
const OPS = new URL('../../../ops/src/main.ts', import.meta.url).pathname;

const own = stageForFile(FAST_CLOCK);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receipts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Whether one of the newest blocks has this timestamp. */
async function isBlockTime(time: string): Promise<boolean> {
  const seconds = BigInt(Date.parse(time) / 1000);
  let block = await own.stage.client.getBlock();
  while (block.timestamp > seconds) block = await own.stage.client.getBlock({ blockNumber: block.number - 1n });
  return block.timestamp === seconds;
}

/** Runs the verifier's program with a receipt file. */
async function verified(name: string, file: unknown): Promise<{ readonly stdout: string }> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(file));
  return run(process.execPath, ['--conditions=@maker/source', OPS, 'verify', path, '--rpc', own.stage.chain.rpcUrl]);
}

describe('the signed receipt of a job (design § 2.6)', () => {
  it('verifies for strangers during the job and afterwards', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.startMaker({ windowSeconds: 25 });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both, { byTransfer: true });
    await own.stage.placed(job, 4);
    const interim = await fileOf(own.stage, job);
    expect(interim.receipt.state).toBe('interim');
    expect((await judge(own.stage, interim)).broken).toBeUndefined();
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    const file = await fileOf(own.stage, job);
    expect(file.receipt).toMatchObject({ state: 'final', payer: job.payer.toLowerCase() });
    expect((await judge(own.stage, file)).broken).toBeUndefined();
    // An interim receipt does not cover later transactions.
    expect((await judge(own.stage, interim)).broken).toBeUndefined();

    const forged = { ...file, receipt: { ...file.receipt, payer: job.wallet.toLowerCase() } };
    const [genuine, other] = await Promise.allSettled([
      verified('receipt.json', file),
      verified('forged.json', forged),
    ]);
    const confirmed = 'The chain confirms every fact of this receipt that it can show.';
    expect(genuine).toMatchObject({ value: { stdout: expect.stringContaining(confirmed) } });
    expect(other).toMatchObject({ reason: { code: 1 } });
  });
});

describe('pauses in the signed receipt (design § 4)', () => {
  it('all carry the chain’s time, open ones too', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.startMaker();
    const plan = await own.stage.plan({ slotMs: 2500 });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both, { byTransfer: true, plan });
    const { jobId } = job;
    await own.stage.placed(job, 1);
    await own.stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 20n * 10n ** 9n });
    await vi.waitFor(
      () => expect(own.stage.jobs.pauses(jobId)).toEqual(['paused gas_guardrail', 'resumed gas_guardrail']),
      SOON,
    );
    const pause = (which: { jobId?: string }) =>
      own.stage.jobs.app.get(RequestClient).request(setPause, { ...which, operator: 'spec' });
    await pause({ jobId });
    const waiting = await fileOf(own.stage, job);
    expect(waiting.receipt.pauses).toMatchObject([{ reason: 'gas_guardrail' }, { reason: 'operator', to: null }]);
    await own.stage.command({ action: 'resume', jobId }, ['anna']);
    await pause({});
    await own.stage.command({ action: 'resume_all' });
    await pause({ jobId });
    await own.stage.jobs.cancel(jobId);
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'failed' });
    const { receipt } = await fileOf(own.stage, job);
    const reasons = receipt.pauses.map(({ reason }) => reason);
    expect(reasons).toEqual(['gas_guardrail', 'operator', 'operator', 'operator']);
    for (const { from, to } of receipt.pauses) {
      expect(await isBlockTime(from)).toBe(true);
      expect(await isBlockTime(to ?? '')).toBe(true);
    }
    expect((await judge(own.stage, await fileOf(own.stage, job))).broken).toBeUndefined();
    // An ended job has no open pause.
    await pause({});
    await own.stage.command({ action: 'resume_all' });
    expect(await own.stage.receiptOf(job)).toMatchObject({ pausesInAll: receipt.pauses.length });
  });
});

/** Runs `npm run ops -- solvency` with one open job, whose receipt is the API's present one. */
async function solvency(job: PaidJob): Promise<{ readonly stdout: string; readonly code?: number }> {
  const { jobId } = job;
  const api = createServer(async ({ url }, response) => {
    const jobs = [{ jobId, createdAt: new Date(0).toISOString() }];
    response.end(JSON.stringify(url?.startsWith('/operator/jobs') ? { jobs } : await fileOf(own.stage, job)));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const keyFile = join(folder, 'api-key');
  await writeFile(keyFile, 'of-an-operator');
  const { port } = api.address() as AddressInfo;
  const env = { ...process.env, OPS_API_URL: `http://127.0.0.1:${port}`, OPS_API_KEY_FILE: keyFile };
  const program = ['--conditions=@maker/source', OPS, 'solvency', '--rpc', own.stage.chain.rpcUrl];
  try {
    return await run(process.execPath, program, { env }).catch((failed) => failed);
  } finally {
    api.close();
  }
}

describe('solvency (design § 2.6)', () => {
  it('proves an open job solvent, not an underfunded one', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const plan = await own.stage.plan({ slotMs: 2500 });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both, { byTransfer: true, plan });
    await own.stage.placed(job, 3);
    await own.stage.jobs.app.get(RequestClient).request(setPause, { jobId: job.jobId, operator: 'spec' });
    const held = await solvency(job);
    expect(held.stdout).toMatch(new RegExp(`✓ ${job.jobId} ${job.wallet} holds 0\\.\\d+ HYPE and \\d+ units`, 'i'));
    expect(held.stdout).toMatch(/1 open jobs; 0\.\d+ HYPE are owed and held/);
    expect(held.code).toBeUndefined();

    await own.stage.client.setBalance({ address: job.wallet, value: 1n });
    const short = await solvency(job);
    expect(short.stdout).toMatch(new RegExp(`✗ ${job.jobId} The wallet holds .* less than the .* as left`));
    expect(short.code).toBe(1);
  });
});
