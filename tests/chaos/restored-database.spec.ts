import type { CreateJobResponse } from '@maker/contracts';
import { ALL_SERVICES, type RunningStack } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepLogs } from '../support/keep-logs.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { seriesOf } from '../support/readings.ts';
import { until } from '../support/until.ts';
import { accountOfWallet, sumOf, tokenBalance } from '../support/wallet-accounts.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { assertAllReceived } from './all-received.ts';
import { DatabaseCopies } from './database-copies.ts';
import { jobsSince } from './invariants.ts';
import { ServiceRecords } from './service-records.ts';

const PAID = '0.15';
const FEE_WEI = (parseHype(PAID) * 30n) / 100n;
const CELL_MS = 400_000;

/** Databases restored to an older point together; those of two services with NATS wiped, as after a lost cluster. */
const CELLS = [
  { databases: ['job'], isNatsWiped: false },
  { databases: ['payment_watcher'], isNatsWiped: false },
  { databases: ['receipts'], isNatsWiped: false },
  { databases: ['webhook_sender'], isNatsWiped: false },
  { databases: ['maker_executor'], isNatsWiped: false },
  { databases: ['job', 'payment_watcher'], isNatsWiped: true },
  { databases: ['payment_watcher', 'maker_executor'], isNatsWiped: true },
  { databases: ['job', 'maker_executor'], isNatsWiped: true },
] as const;

let receiver: WebhookReceiver;
let running: RunningStack;
let product: ProductClient;
let copies: DatabaseCopies;
let records: ServiceRecords;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const job = { MINIMUM_PAYMENT_HYPE: PAID, JOB_BLOCK_SHARE_BPS: '10000', JOB_ORDER_REQUESTS_PER_MINUTE: '1000000' };
  running = await startOwnStack(10, { job }, {}, { webhookEndpointsFile: receiver.endpointsFile });
  product = new ProductClient(running.stack);
  copies = new DatabaseCopies(running.stack.mongoUrl);
  records = new ServiceRecords(running.stack);
}, 200_000);

afterAll(async () => {
  await Promise.all([copies?.close(), records?.close()]);
  await running?.stop();
  await receiver?.stop();
});

beforeEach(({ onTestFailed }) => onTestFailed(() => keepLogs(running, 'chaos/restored-database')));

const create = () => product.createJob(product.stack.tokens.both, Number(PAID));

async function paidAndTrading(job: CreateJobResponse): Promise<void> {
  await product.pay(job.paymentAddress, PAID);
  const placed = async () => (await product.orders(job.jobId)).length;
  await until('some orders', placed, (count) => count > 3, { timeoutMs: 120_000 });
}

/** Jobs whose wallet stopped because ledger and chain differ; an alert notifies the operator (docs/runbooks/ledger-drift.md). */
async function stopped(jobs: readonly CreateJobResponse[]): Promise<ReadonlySet<string>> {
  const each = await Promise.all(jobs.map(({ jobId }) => records.ofJob(jobId)));
  return new Set(each.flatMap(({ execution }) => (execution?.paused?.reason === 'ledger_drift' ? execution._id : [])));
}

/**
 * Whether neither the job service nor the executor knows a job. The first event of its payment then fails repeatedly, which also fires an
 * alert; the later ones wait for it.
 */
async function isForgotten(jobId: string): Promise<boolean> {
  const { job, execution } = await records.ofJob(jobId);
  return job === null && execution === null;
}

async function failedPayments(): Promise<number> {
  const consumed = await seriesOf(product.stack.ops.job, 'maker_events_consumed_total');
  const failed = consumed.filter(({ labels }) => labels.includes('payment.') && labels.includes('failed'));
  return failed.reduce((sum, { value }) => sum + value, 0);
}

/** The metric of the alert. */
async function pausedByDrift(): Promise<number> {
  const paused = await seriesOf(product.stack.ops['maker-executor'], 'maker_execution_paused');
  return paused.find(({ labels }) => labels.includes('ledger_drift'))?.value ?? 0;
}

describe('a database that was restored to an older point', () => {
  it.each(CELLS)('loses no payment: $databases, NATS wiped: $isNatsWiped', { timeout: CELL_MS }, async (cell) => {
    const since = await product.chain.getBlockNumber();
    const [started, shown] = [await create(), await create()];
    await paidAndTrading(started);
    await copies.take(cell.databases);
    const later = await create();
    await Promise.all([paidAndTrading(shown), paidAndTrading(later)]);

    await Promise.all(ALL_SERVICES.map((service) => running.kill(service, 'SIGKILL')));
    await copies.restore(cell.databases);
    if (cell.isNatsWiped) {
      await running.killServer('nats-server', 'SIGKILL');
      await running.startServer('nats-server', { wipe: true });
    }
    await Promise.all(ALL_SERVICES.map((service) => running.restart(service)));
    await behindUsedWallets(cell);

    const after = await create();
    await paidAndTrading(after);
    const jobs = [started, shown, later, after];
    const addresses = new Set(jobs.map(({ paymentAddress }) => paymentAddress));
    expect(addresses.size).toBe(jobs.length);
    const { both } = product.stack.tokens;
    const read = async ({ paymentAddress }: CreateJobResponse) => {
      const wallet = paymentAddress as Address;
      const account = await accountOfWallet(product, wallet, both, since);
      return { ...account, tokens: await tokenBalance(product, both, wallet) };
    };
    const rest = async () => {
      const accounts = await Promise.all(jobs.map(read));
      const withMoney = jobs.filter((_, at) => (accounts[at]?.balanceWei ?? 0n) + (accounts[at]?.tokens ?? 0n) > 0n);
      const forgotten = (await Promise.all(withMoney.map(({ jobId }) => isForgotten(jobId)))).filter(Boolean).length;
      return { withMoney: withMoney.length, stopped: (await stopped(withMoney)).size, forgotten };
    };
    const end = await until(
      'all jobs to end or to raise an alert',
      rest,
      ({ withMoney, stopped, forgotten }) => withMoney === stopped + forgotten,
      { timeoutMs: 180_000, everyMs: 1000 },
    );
    if (end.stopped > 0) expect(await pausedByDrift()).toBeGreaterThanOrEqual(end.stopped);
    if (end.forgotten > 0) expect(await failedPayments()).toBeGreaterThan(0);
    const accounts = await Promise.all(jobs.map(read));
    for (const account of accounts) {
      const { feeWei, otherRecipients } = account;
      expect({ feeWei, otherRecipients }).toEqual({ feeWei: FEE_WEI, otherRecipients: [] });
      expect(sumOf(account)).toBe(parseHype(PAID));
    }
    if (!(cell.databases as readonly string[]).includes('maker_executor'))
      expect(accounts.map(({ balanceWei }) => balanceWei)).toEqual([0n, 0n, 0n, 0n]);
    if ((cell.databases as readonly string[]).includes('webhook_sender'))
      await assertAllReceived(product.stack, receiver, jobsSince(jobs, since), 'webhook_sender restored');
  });
});

/** Follows docs/runbooks/recovery-drill.md for a job service that refuses new jobs because its counter is behind the chain. */
async function behindUsedWallets(cell: (typeof CELLS)[number]): Promise<void> {
  const body = { tokenAddress: product.stack.tokens.both, paymentAmount: Number(PAID) };
  const { status } = await product.call('POST', '/jobs/create', body);
  if (status !== 503) return;
  await running.restart('job', 0, { JOB_FIRST_WALLET_INDEX: String((CELLS.indexOf(cell) + 1) * 1000) });
}
