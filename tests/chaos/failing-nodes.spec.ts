import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RunningStack, ServiceName } from '@maker/local-stack';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepLogs } from '../support/keep-logs.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { assertNothingLost, jobsSince } from './invariants.ts';

const execute = promisify(execFile);

const BUDGET = '0.16';
const CELL_MS = 400_000;
/** A primary that steps down is not a candidate for this time, s. */
const STEP_DOWN_SECONDS = 3;
/** More than the trusted skew of the chain's time (docs/adr/0055), ms. */
const SKEW_MS = 600_000;
const SKEWED_FOR_MS = 8000;

let running: RunningStack;
let product: ProductClient;

beforeAll(async () => {
  running = await startOwnStack(15, {
    job: { MINIMUM_PAYMENT_HYPE: '0.15' },
    'maker-executor': { MAKER_LEASE_SECONDS: '3', MAKER_RECONCILE_SECONDS: '2' },
  });
  product = new ProductClient(running.stack);
}, 180_000);

afterAll(() => running?.stop());

beforeEach(({ onTestFailed }) => onTestFailed(() => keepLogs(running, 'chaos/failing-nodes')));

/** Faults of a node while orders are signed; each resolves when the node has recovered. */
const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  'the primary of MongoDB steps down': stepDown,
  'the disk of MongoDB is full': async () => {
    await fillDiskOf('mongod');
    await running.startServer('mongod');
  },
  // As V8 does without memory; the kill matrix covers the kernel's SIGKILL.
  'the executor aborts': async () => {
    await running.kill('maker-executor', 'SIGABRT');
    await running.restart('maker-executor');
  },
  'the executor’s clock is ahead': () => skew('maker-executor', SKEW_MS),
  'the executor’s clock is behind': () => skew('maker-executor', -SKEW_MS),
  'the watcher’s clock is ahead': () => skew('payment-watcher', SKEW_MS),
  'the watcher’s clock is behind': () => skew('payment-watcher', -SKEW_MS),
};

describe('a node that fails amid signing', () => {
  it.each(Object.entries(FAULTS))('loses nothing when %s', { timeout: CELL_MS }, async (name, fault) => {
    const since = await product.chain.getBlockNumber();
    const paid = await product.createJob(product.stack.tokens.both, Number(BUDGET));
    const shown = await product.createJob(product.stack.tokens.v3Only, Number(BUDGET));
    await product.pay(paid.paymentAddress, BUDGET);
    const placed = async () => (await product.orders(paid.jobId)).length;
    expect(await until('some orders', placed, (count) => count > 3, { timeoutMs: 120_000 })).toBeLessThan(30);
    const failing = fault();
    await product.pay(shown.paymentAddress, BUDGET);
    await failing;
    await assertNothingLost(product, jobsSince([paid, shown], since), name);
  });
});

async function stepDown(): Promise<void> {
  const client = new MongoClient(product.stack.mongoUrl);
  try {
    await client.db('admin').command({ replSetStepDown: STEP_DOWN_SECONDS, force: true });
  } finally {
    await client.close();
  }
}

/** Makes a process's writes to files fail, and waits for its death. */
async function fillDiskOf(name: string): Promise<void> {
  const pids = JSON.parse(await readFile(join(running.directory, 'processes.json'), 'utf8'));
  const pid = String(pids[name]);
  await execute('prlimit', ['--pid', pid, '--fsize=1']);
  const isAlive = () =>
    readFile(`/proc/${pid}/stat`, 'utf8').then(
      (stat) => !stat.includes(') Z '),
      () => false,
    );
  await until(`the end of ${name}`, isAlive, (alive) => !alive, { timeoutMs: 60_000 });
}

/** Shifts a service's clock for a while. */
async function skew(service: ServiceName, byMs: number): Promise<void> {
  const code = `const Real = Date;
    globalThis.Date = class Date extends Real {
      constructor(...of) { of.length ? super(...of) : super(Date.now()); }
      static now() { return Real.now() + ${byMs}; }
    };`;
  await running.restart(service, 0, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });
  await wait(SKEWED_FOR_MS);
  await running.restart(service, 0, { NODE_OPTIONS: '' });
}
