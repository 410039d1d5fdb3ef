import { signReceipt } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { receiptTypedData } from '@maker/receipt';
import { type Address, type Hash, verifyTypedData } from 'viem';
import { expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';

const own = stageForFile(FAST_CLOCK);
const CONTENT_HASH: Hash = `0x${'c'.repeat(64)}`;

type Summary = z.input<typeof signReceipt.request>;

const requestFor = ({ jobId, wallet }: PaidJob, change: Partial<Summary> = {}): Summary => ({
  jobId,
  chainId: 31337,
  wallet: wallet.toLowerCase() as Address,
  state: 'interim',
  contentHash: CONTENT_HASH,
  ...change,
});

const sign = (request: Summary) => own.stage.jobs.app.get(RequestClient).request(signReceipt, request);

/** Creates a job that stays active for the whole test. */
async function activeJob(): Promise<PaidJob> {
  const plan = await own.stage.plan({ slotMs: 20_000 });
  const job = await own.stage.paidJob(own.stage.chain.tokens.both, { byTransfer: true, plan });
  await vi.waitFor(() => own.stage.receiptOf(job), SOON);
  return job;
}

it('signs a receipt’s typed data with the job’s wallet', { timeout: RUN_MS }, async () => {
  await own.stage.startMaker();
  const job = await activeJob();
  const request = requestFor(job);
  const { signature } = await sign(request);
  const typedData = receiptTypedData({ ...request, wallet: job.wallet }, CONTENT_HASH);
  expect(await verifyTypedData({ ...typedData, address: job.wallet, signature: signature as Hash })).toBe(true);
});

it('signs a job’s receipts every five seconds, over all makers', { timeout: RUN_MS }, async () => {
  await Promise.all([own.stage.startMaker(), own.stage.startMaker()]);
  const job = await activeJob();
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => sign(requestFor(job))));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(sign(requestFor(job))).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
  await vi.waitFor(() => sign(requestFor(job)), SOON);
});

it('signs an ended job’s receipt once for its revision', { timeout: RUN_MS }, async () => {
  await own.stage.startMaker();
  const job = await activeJob();
  await sign(requestFor(job));
  await own.stage.jobs.cancel(job.jobId);
  await own.stage.ended(job);
  await vi.waitFor(() => sign(requestFor(job, { state: 'final' })), SOON);
  await expect(sign(requestFor(job, { state: 'final' }))).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
});

it.each([
  ['another wallet', { wallet: `0x${'b'.repeat(40)}` as Address }],
  ['another chain', { chainId: 999 }],
  ['an active job as ended', { state: 'final' }],
] as const)('refuses a receipt with %s', { timeout: RUN_MS }, async (_, change) => {
  await own.stage.startMaker();
  const job = await activeJob();
  await expect(sign(requestFor(job, change))).rejects.toMatchObject({ code: 'RECEIPT_REFUSED' });
});

it('refuses a job that it does not know', { timeout: RUN_MS }, async () => {
  await own.stage.startMaker();
  const unknown = await own.stage.unpaidJob(0n);
  await expect(sign(requestFor({ ...unknown, depositWei: 0n }))).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
});
