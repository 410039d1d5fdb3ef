import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, SERVICES } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { formatHype, parseHype } from '@maker/rules';
import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PayerWallet } from '../../apps/ops/src/canary/product/payer-wallet.ts';
import { ProductApi } from '../../apps/ops/src/canary/product/product-api.ts';
import { runRound } from '../../apps/ops/src/canary/run-round/run-round.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';

const LEAST = parseHype('0.25');
const SMALL = parseHype('0.002');
const FEE = parseHype('0.075');
/** Above the gas of three transfers on the local chain. */
const SOME_GAS = parseHype('0.001');

/** The step at which a round stops, by the stopped service. A round with a returned deposit reads no receipt. */
const STOPS_AT = {
  'api-gateway': 'token',
  'token-validation': 'token',
  job: 'job',
  'payment-watcher': 'detection',
  // The executor verifies each deposit first.
  'maker-executor': 'detection',
} as const;

// A day, as in production: at that pace a second order would take minutes.
const own = ownStackForFile(86_400);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-canary-'));
  await Promise.all([
    writeFile(join(folder, 'api-key'), `${own.product.stack.apiKey}\n`),
    writeFile(join(folder, 'private-key'), `${own.product.stack.payer.privateKey}\n`),
  ]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const balanceOf = (address: string) => own.product.chain.getBalance({ address: address as Address });

/** Runs a round in this process, as the part of a day that `wholeKey` names. */
function round(wholeKey: string | undefined) {
  const { apiUrl, apiKey, chainId, rpcUrl, payer, tokens } = own.product.stack;
  const beginning = {
    api: new ProductApi(apiUrl, apiKey),
    wallet: new PayerWallet(chainId, [rpcUrl], payer.privateKey as Hex),
    tokenAddress: tokens.both,
    wholeKey,
    wholePaymentWei: LEAST,
    smallPaymentWei: SMALL,
  };
  return runRound(beginning, 60_000, new AbortController().signal);
}

/** Runs the program as its image does, until it serves its result. */
async function runProgram() {
  const { apiUrl, chainId, rpcUrl, tokens } = own.product.stack;
  const port = await freePort();
  const program = spawn(process.execPath, [join(WORKSPACE_ROOT, 'apps/ops/dist/main.js'), 'canary'], {
    env: {
      OPS_PORT: String(port),
      LISTEN_HOST: '127.0.0.1',
      CHAIN_ID: String(chainId),
      CHAIN_RPC_URLS: rpcUrl,
      CANARY_API_URL: apiUrl,
      API_KEY_FILE: join(folder, 'api-key'),
      CANARY_PRIVATE_KEY_FILE: join(folder, 'private-key'),
      CANARY_TOKEN_ADDRESS: tokens.both,
      CANARY_DAILY_FEE_HYPE: '0',
    },
  });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (data) => (output += data));
  const exited = once(program, 'exit');
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined))?.text() ?? '';
  const isThere = /maker_canary_(succeeded|failed)_timestamp_seconds\{[a-z]+="(\w+)"\} [1-9]/;
  const metrics = await until('the result of the round', read, (text) => isThere.test(text), { timeoutMs: 120_000 });
  program.kill('SIGTERM');
  const [status] = await exited;
  const [, outcome, of] = isThere.exec(metrics) ?? [];
  return { outcome, of, status, output, metrics };
}

it('a whole round costs fee and gas only', { timeout: 150_000 }, async () => {
  const treasuryBefore = await balanceOf(own.product.stack.treasury);
  const partOfDay = randomUUID();
  const report = await round(partOfDay);
  expect(report.failure).toBeUndefined();
  expect(report).toMatchObject({ kind: 'whole', feeWei: FEE });
  const steps = ['token', 'job', 'funds', 'payment', 'detection', 'activation', 'stop', 'fee', 'return'];
  expect([...report.tookMs.keys()]).toEqual(steps);
  expect((await balanceOf(own.product.stack.treasury)) - treasuryBefore).toBe(FEE);
  const { receipt, status } = await own.product.status(report.jobId ?? '');
  expect(status).toBe('cancelled');
  expect(receipt?.ordersPlaced).toBe(report.ordersPlaced);
  // At most the one order that a busy machine places before it receives the stop.
  expect(report.ordersPlaced).toBeLessThanOrEqual(1);
  expect(report.otherCostWei, formatHype(report.otherCostWei)).toBeLessThan(SOME_GAS + parseHype('0.0008'));

  // A part of the day has only one whole round, also from another process.
  const again = await round(partOfDay);
  expect(again.failure).toBeUndefined();
  expect(again).toMatchObject({ kind: 'small', feeWei: 0n, ordersPlaced: 0 });
  expect(again.otherCostWei, formatHype(again.otherCostWei)).toBeLessThan(SOME_GAS);
  expect((await balanceOf(own.product.stack.treasury)) - treasuryBefore).toBe(FEE);
});

it('the program prints findings without secrets', { timeout: 150_000 }, async () => {
  const { status, output, metrics, ...result } = await runProgram();
  expect(result, output).toEqual({ outcome: 'succeeded', of: 'small' });
  expect(status).toBe(0);
  for (const step of ['payment', 'detection', 'stop', 'return']) {
    expect(metrics).toMatch(new RegExp(`maker_canary_step_seconds\\{round="small",step="${step}"\\} [0-9.]+`));
  }
  expect(JSON.parse(output)).toMatchObject({ level: 'info', msg: 'canary round succeeded', feeHype: '0' });
  const { apiKey, payer } = own.product.stack;
  for (const secret of [apiKey, payer.privateKey, payer.privateKey.slice(2), 'stop_']) {
    expect(output + metrics).not.toContain(secret);
  }
});

it('stops when a service is missing, and returns its money', { timeout: 600_000 }, async () => {
  const before = await balanceOf(own.product.stack.payer.address);
  for (const service of SERVICES.filter((one) => one !== 'receipts')) {
    await own.running.kill(service, 'SIGKILL');
    const { status, output, ...result } = await runProgram();
    expect({ service, outcome: result.outcome, of: result.of }, output).toEqual({
      service,
      outcome: 'failed',
      of: STOPS_AT[service],
    });
    expect(status).toBe(1);
    await own.running.restart(service);
  }
  await until(
    'the money of the rounds that failed',
    () => balanceOf(own.product.stack.payer.address),
    (now) => now > before - SMALL,
    { timeoutMs: 120_000 },
  );
  expect(await runProgram()).toMatchObject({ outcome: 'succeeded', of: 'small' });
});
