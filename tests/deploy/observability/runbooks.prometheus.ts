import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CreateJobResponse } from '@maker/contracts';
import { WORKSPACE_ROOT } from '@maker/local-stack';
import { formatHype, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { payThroughContract } from '../../support/forwarder.ts';
import { startOwnStack } from '../../support/own-stack.ts';
import { ProductClient } from '../../support/product-client.ts';
import { RUN_BY_A_MACHINE, type RunRunbook, runbookCommands } from '../../support/runbook-commands.ts';
import { until } from '../../support/until.ts';
import { NAMESPACE, type PrometheusServer, startPrometheus } from './prometheus-server.ts';
import { alerts } from './rule-files.ts';

const AMOUNT = parseHype('0.05');
const SOON_MS = 120_000;

/** A fault, the alert that it is told by, and what whoever is woken fills into the commands of its runbook. */
interface Run {
  readonly runbook: Exclude<RunRunbook, 'recovery-drill'>;
  readonly alert: string;
  readonly makeFault: () => Promise<{ readonly JOB: string } & Readonly<Record<string, string>>>;
  /** What the payer has in the end, wei. */
  readonly payerHas: (address: Address) => Promise<bigint>;
}

let folder: string;
let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;
let prometheus: PrometheusServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-runbooks-'));
  ownStack = await startOwnStack(20, { 'payment-watcher': { WATCHER_SWEEP_INTERVAL_SECONDS: '2' } });
  product = new ProductClient(ownStack.stack);
  prometheus = await startPrometheus(ownStack.stack.ops, { files: [await rulesWithoutPatience()] });
}, 200_000);

afterAll(async () => {
  await prometheus?.stop();
  await ownStack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The chart's alerts, told at once: how long a fault must last is what their own cases hold (`alert-cases.ts`). */
async function rulesWithoutPatience(): Promise<string> {
  const named = new Set(RUNS.map(({ alert }) => alert));
  const rules = alerts()
    .filter(({ alert }) => named.has(alert))
    .map(({ alert, expr, labels }) => ({ alert, expr, labels }));
  const file = join(folder, 'rules.json');
  await writeFile(file, JSON.stringify({ groups: [{ name: 'at-once', rules }] }));
  return file;
}

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

const onHyperEvm = (address: Address) => product.chain.getBalance({ address });

const RUNS: readonly Run[] = [
  { runbook: 'money-held', alert: 'MakerMoneyHeld', makeFault: payTooLittleFromAContract, payerHas: onHyperEvm },
  {
    runbook: 'money-unclaimed',
    alert: 'MakerMoneyUnclaimed',
    makeFault: payTooLittleFromAContract,
    payerHas: onHyperEvm,
  },
  {
    runbook: 'money-on-hypercore',
    alert: 'MakerMoneyOnHyperCore',
    makeFault: payOnHyperCore,
    payerHas: (address) => product.control.core.balanceWei(address),
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
  '$runbook: $alert fires, the commands run, the payer has the money, and it fires no longer',
  { timeout: 400_000 },
  async ({ runbook, alert, makeFault, payerHas }) => {
    expect(await isFiring(alert)).toBe(false);
    const fault = await makeFault();
    await until(
      `${alert} to fire`,
      () => isFiring(alert),
      (firing) => firing,
      { timeoutMs: SOON_MS },
    );
    const ADDRESS = privateKeyToAddress(generatePrivateKey());
    const filledIn = { ...fault, ADDRESS, REASON: 'the payer proved it', SAVED: join(folder, `${fault.JOB}.json`) };
    for (const command of await runbookCommands(runbook)) await type(command, filledIn);
    const has = await until(
      'the money',
      () => payerHas(ADDRESS),
      (wei) => wei > 0n,
      { timeoutMs: SOON_MS },
    );
    expect(has).toBeGreaterThan((AMOUNT * 9n) / 10n);
    await until(
      `${alert} to clear`,
      () => isFiring(alert),
      (firing) => !firing,
      { timeoutMs: SOON_MS },
    );
  },
);
