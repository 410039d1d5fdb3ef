import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { CreateJobResponse, JobStatusResponse, ReconciliationResponse } from '@maker/contracts';
import { WORKSPACE_ROOT } from '@maker/local-stack';
import { formatHype, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { payThroughContract } from '../../support/forwarder.ts';
import { startOwnStack } from '../../support/own-stack.ts';
import { ProductClient } from '../../support/product-client.ts';
import { rollBackBelow } from '../../support/roll-back.ts';
import { RUN_BY_A_MACHINE, type RunRunbook, runbookCommands } from '../../support/runbook-commands.ts';
import { until } from '../../support/until.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { NAMESPACE, type PrometheusServer, startPrometheus } from './prometheus-server.ts';
import { alerts } from './rule-files.ts';

const AMOUNT = parseHype('0.05');
const SOON_MS = 240_000;
/** Of a job's orders, by the chain's clock: long enough that one is paused, or its payment dropped, before its end. */
const WINDOW_SECONDS = 600;

/** What whoever is woken fills into the commands of a runbook. */
type FilledIn = Readonly<Record<string, string>>;

/** A fault, the alert that it is told by, and what is so once its runbook was followed. */
interface Run {
  readonly runbook: Exclude<RunRunbook, 'recovery-drill'>;
  readonly alert: string;
  /** How long the rule looks back, or lets something last, and how long it does here. */
  readonly patience?: readonly [written: string, here: string];
  readonly makeFault: () => Promise<FilledIn>;
  /** What somebody else does once they are told. */
  readonly elsewhere?: () => void;
  /** Waits until it is so. @throws Error where it never is */
  readonly isMended: (filledIn: FilledIn) => Promise<void>;
}

let folder: string;
let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;
let prometheus: PrometheusServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-runbooks-'));
  receiver = await WebhookReceiver.start();
  const seconds = { WATCHER_SWEEP_INTERVAL_SECONDS: '2' };
  const { endpointsFile: webhookEndpointsFile } = receiver;
  ownStack = await startOwnStack(
    WINDOW_SECONDS,
    { 'payment-watcher': seconds, 'maker-executor': { MAKER_RECONCILE_SECONDS: '2' } },
    {},
    { webhookEndpointsFile },
  );
  product = new ProductClient(ownStack.stack);
  prometheus = await startPrometheus(ownStack.stack.ops, { files: [await rulesWithoutPatience()] });
}, 200_000);

afterAll(async () => {
  await prometheus?.stop();
  await ownStack?.stop();
  await receiver?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The chart's alerts, told at once: how long a fault must last is what their own cases hold (`alert-cases.ts`). */
async function rulesWithoutPatience(): Promise<string> {
  const rules = RUNS.map(({ alert: named, patience: [written, here] = ['', ''] }) => {
    const rule = alerts().find(({ alert }) => alert === named);
    if (!rule?.expr.includes(written)) throw new Error(`${named} has no ${written}`);
    return { alert: named, expr: rule.expr.replace(written, here), labels: rule.labels };
  });
  const file = join(folder, 'rules.json');
  await writeFile(file, JSON.stringify({ groups: [{ name: 'at-once', rules }] }));
  return file;
}

const soon = { timeoutMs: SOON_MS };
const paymentOf = (job: string) => () => product.payment(job);
const statusOf = (job: string) => () => product.status(job);
const create = () => product.createJob(product.stack.tokens.v2Only, 0.25);

/** The chain passes the job's deadline. */
async function expire({ paymentDeadline }: CreateJobResponse): Promise<void> {
  await product.control.request('evm_setNextBlockTimestamp', Math.ceil(Date.parse(paymentDeadline) / 1000) + 5);
  await product.control.request('evm_mine');
}

/** Too little, from a contract: nobody is known to whom it could be returned. */
async function payTooLittleFromAContract() {
  const job = await create();
  await payThroughContract(product, job.paymentAddress, formatHype(AMOUNT));
  await until(
    'the payment',
    () => product.payment(job.jobId),
    ({ receivedWei }) => receivedWei === AMOUNT.toString(),
    { timeoutMs: SOON_MS },
  );
  await expire(job);
  await until(
    'what is held',
    () => product.status(job.jobId),
    ({ receipt }) => receipt?.heldWei === AMOUNT.toString(),
    { timeoutMs: SOON_MS },
  );
  return { JOB: job.jobId };
}

async function payOnHyperCore() {
  const job = await create();
  await product.control.core.credit(job.paymentAddress as Address, AMOUNT);
  await expire(job);
  return { JOB: job.jobId, AMOUNT: formatHype(AMOUNT) };
}

/** Nearly all of it: gas is the payer's. */
async function payerHas(balance: () => Promise<bigint>): Promise<void> {
  const has = await until('the money', balance, (wei) => wei > 0n, soon);
  expect(has).toBeGreaterThan((AMOUNT * 9n) / 10n);
}

const onHyperEvm = ({ ADDRESS }: FilledIn) => payerHas(() => product.chain.getBalance({ address: ADDRESS as Address }));
const onHyperCore = ({ ADDRESS }: FilledIn) => payerHas(() => product.control.core.balanceWei(ADDRESS as Address));

/** The file with the keys of the API, as a cluster brings it to the gateway. */
const keysOfApi = () => join(dirname(product.stack.operators[0]?.keyFile ?? ''), 'api-keys.json');

/** A hash is not one. */
async function spoilTheKeys() {
  const KEYS = keysOfApi();
  const WEB_KEY_FILE = join(folder, 'web-api-key');
  await writeFile(WEB_KEY_FILE, product.stack.apiKey);
  await writeFile(KEYS, JSON.stringify([{ name: 'web', sha256: 'none', scopes: ['public'] }]));
  return { KEYS, WEB_KEY_FILE };
}

async function isLetIn(): Promise<void> {
  await product.stats();
  await product.operate('GET', '/jobs?limit=1');
}

async function refuseWebhooks() {
  const SINCE = new Date().toISOString();
  receiver.refuse(Infinity);
  const { jobId } = await create();
  return { ENDPOINT: 'receiver', SINCE, JOB: jobId };
}

/** Told of the job, by a message that nobody changed. */
async function isTold({ JOB = '' }: FilledIn): Promise<void> {
  const told = () => Promise.resolve([...receiver.contents.values()].flatMap((bodies) => [...bodies]));
  await until('the message', told, (bodies) => bodies.some((body) => body.includes(JOB)), soon);
  expect(receiver.forged).toEqual([]);
}

/** A job that trades, and its payer's address. */
async function startTrading() {
  const { jobId, paymentAddress } = await create();
  const { blockNumber } = await product.pay(paymentAddress, '0.25');
  await until('orders', statusOf(jobId), ({ receipt }) => (receipt?.ordersPlaced ?? 0) >= 2, soon);
  return { JOB: jobId, paidIn: blockNumber };
}

/** The chain takes the block of a credited payment back, and no other brings it again. */
async function dropCreditedPayment() {
  const { JOB, paidIn } = await startTrading();
  await rollBackBelow(product, paidIn);
  await until('the drop', paymentOf(JOB), ({ droppedWei }) => droppedWei !== undefined, soon);
  return { JOB };
}

async function endedWithItsLoss({ JOB = '' }: FilledIn): Promise<void> {
  await until('the end', paymentOf(JOB), ({ status }) => status === 'cancelled', soon);
  const path = `/jobs/${JOB}/reconciliation`;
  const { totals, differenceWei } = await product.operate<ReconciliationResponse>('GET', path);
  expect(totals).toMatchObject({ missing: parseHype('0.25').toString(), fee: '0', order: '0', returned: '0' });
  expect(differenceWei).toBe('0');
}

async function pauseTrading() {
  const { JOB } = await startTrading();
  await product.operate('POST', `/jobs/${JOB}/pause`, { reason: 'somebody looks at its token' });
  const isPaused = ({ receipt }: JobStatusResponse) => receipt?.paused?.reason === 'operator';
  const { receipt } = await until('the pause', statusOf(JOB), isPaused, soon);
  return { JOB, PLACED: String(receipt?.ordersPlaced) };
}

async function tradesOn({ JOB = '', PLACED }: FilledIn): Promise<void> {
  await until('more orders', statusOf(JOB), ({ receipt }) => (receipt?.ordersPlaced ?? 0) > Number(PLACED), soon);
}

const RUNS: readonly Run[] = [
  { runbook: 'money-held', alert: 'MakerMoneyHeld', makeFault: payTooLittleFromAContract, isMended: onHyperEvm },
  {
    runbook: 'money-unclaimed',
    alert: 'MakerMoneyUnclaimed',
    makeFault: payTooLittleFromAContract,
    isMended: onHyperEvm,
  },
  { runbook: 'money-on-hypercore', alert: 'MakerMoneyOnHyperCore', makeFault: payOnHyperCore, isMended: onHyperCore },
  { runbook: 'api-keys', alert: 'MakerApiKeysRefused', makeFault: spoilTheKeys, isMended: isLetIn },
  {
    runbook: 'webhooks-not-taken',
    alert: 'MakerWebhooksNotTaken',
    patience: ['> 900', '> 5'],
    makeFault: refuseWebhooks,
    elsewhere: () => receiver.refuse(0),
    isMended: isTold,
  },
  {
    runbook: 'credit-dropped',
    alert: 'MakerCreditDropped',
    patience: ['[6h]', '[1m]'],
    makeFault: dropCreditedPayment,
    isMended: endedWithItsLoss,
  },
  {
    runbook: 'executions-paused',
    alert: 'MakerExecutionsPausedLong',
    patience: ['> 21600', '> 20'],
    makeFault: pauseTrading,
    isMended: tradesOn,
  },
];

async function isFiring(alert: string): Promise<boolean> {
  const found = await prometheus.query(`ALERTS{alertname="${alert}",alertstate="firing",namespace="${NAMESPACE}"}`);
  return found.length > 0;
}

/** A command as an operator types it: the second operator has another key. */
async function type(command: string, filledIn: Readonly<Record<string, string>>): Promise<string> {
  const { apiUrl, operatorApiKey, operators, chainId } = product.stack;
  const operator = operators[command.includes('countersign') ? 1 : 0];
  const keyFile = join(folder, 'operator-api-key');
  await writeFile(keyFile, operatorApiKey);
  const env = {
    ...process.env,
    OPS_API_URL: apiUrl,
    OPS_API_KEY_FILE: keyFile,
    OPS_CHAIN_ID: String(chainId),
    OPS_OPERATOR: operator?.name,
    OPS_KEY_FILE: operator?.keyFile,
    ...filledIn,
  };
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], { cwd: WORKSPACE_ROOT, env });
  return stdout;
}

it('every runbook that says so is run here, or in a test of its own', () => {
  const run: string[] = RUNS.map(({ runbook }) => runbook);
  expect([...run, 'recovery-drill'].sort()).toEqual([...RUN_BY_A_MACHINE].sort());
});

it.each(RUNS)(
  '$runbook: $alert fires, the commands run, its fault is mended, and it fires no longer',
  { timeout: 1_200_000 },
  async ({ runbook, alert, makeFault, elsewhere, isMended }) => {
    const firing = () => isFiring(alert);
    await until(`${alert} to be silent`, firing, (fires) => !fires, soon);
    const fault = await makeFault();
    await until(`${alert} to fire`, firing, (fires) => fires, soon);
    elsewhere?.();
    const ADDRESS = privateKeyToAddress(generatePrivateKey());
    const SAVED = join(folder, `${runbook}.json`);
    const filledIn = { ...fault, ADDRESS, REASON: 'the payer proved it', SAVED };
    for (const command of await runbookCommands(runbook)) await type(command, filledIn);
    await isMended(filledIn);
    await until(`${alert} to clear`, firing, (fires) => !fires, soon);
  },
);
