import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
/** Far below each step of the clock, and far above the usual time. */
const USUAL = { timeoutMs: 20_000 };

const directory = mkdtempSync(join(tmpdir(), 'maker-clock-'));
const file = join(directory, 'step');
const step = (milliseconds: number) => writeFileSync(file, String(milliseconds));
step(0);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const stepped = {
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('../support/stepped-clock.mjs', import.meta.url))}`,
  CLOCK_STEP_FILE: file,
};
const own = ownStackForFile(5, { 'payment-watcher': stepped, 'maker-executor': stepped });

/** Creates a job, pays it, and waits until its payment is seen, or counted. */
async function paidJob(): Promise<string> {
  const { product } = own;
  const { jobId, paymentAddress } = await product.createJob(product.stack.tokens.both, 0.25);
  await product.pay(paymentAddress, '0.25');
  const seen = () => product.status(jobId);
  await until('the payment', seen, ({ waitingWei, receivedWei }) => Boolean(waitingWei) || receivedWei !== '0', USUAL);
  return jobId;
}

it('trades a payment after the clock steps back 45 s', { timeout: 180_000 }, async () => {
  step(-45_000);
  const ended = await own.product.completed(await paidJob(), { timeoutMs: 120_000 });
  expect(ended.status).toBe('completed');
});

it('continues after the clock steps two hours ahead and back', { timeout: 240_000 }, async () => {
  step(2 * HOUR_MS);
  const during = await paidJob();
  await until(
    'the activation',
    () => own.product.status(during),
    ({ status }) => status === 'active' || status === 'completed',
    { timeoutMs: 60_000 },
  );
  step(0);
  await own.product.completed(await paidJob(), { timeoutMs: 120_000 });
  await own.product.completed(during, { timeoutMs: 120_000 });
  expect((await fetch(`${own.product.stack.ops['maker-executor']}/livez`)).status).toBe(200);
});
