import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RUN_BY_A_MACHINE, runbookBlocks } from '../../support/runbook-commands.ts';
import { until } from '../../support/until.ts';
import { NAMESPACE, type PrometheusServer, startPrometheus } from './prometheus-server.ts';
import { alerts } from './rule-files.ts';
import { EDGE_RUNS } from './runbooks/edge-runs.ts';
import { MONEY_RUNS } from './runbooks/money-runs.ts';
import { OUTAGE_RUNS } from './runbooks/outage-runs.ts';
import { type FilledIn, type Run, RunbookStage, SOON } from './runbooks/runbook-stage.ts';
import { TRADING_RUNS } from './runbooks/trading-runs.ts';

const RUNS: readonly Run[] = [...MONEY_RUNS, ...EDGE_RUNS, ...TRADING_RUNS, ...OUTAGE_RUNS];

/** A service that has no database takes three seconds to say so. */
const SCRAPE_SECONDS = 4;

let stage: RunbookStage;
let prometheus: PrometheusServer;

beforeAll(async () => {
  stage = await RunbookStage.start();
  prometheus = await startPrometheus(stage.stack.ops, {
    files: [await rulesWithoutPatience()],
    scrapeSeconds: SCRAPE_SECONDS,
    evaluationSeconds: 2,
  });
}, 200_000);

afterAll(async () => {
  await prometheus?.stop();
  await stage?.stop();
});

/** The chart's alerts, told at once: how long a fault must last is what their own cases hold (`alert-cases.ts`). */
async function rulesWithoutPatience(): Promise<string> {
  const rules = RUNS.map(({ alert: named, patience: [written, here] = ['', ''] }) => {
    const rule = alerts().find(({ alert }) => alert === named);
    if (!rule?.expr.includes(written)) throw new Error(`${named} has no ${written}`);
    const expr = written === '' ? rule.expr : rule.expr.replaceAll(written, here);
    return { alert: named, expr, labels: rule.labels };
  });
  const file = join(stage.folder, 'rules.json');
  await writeFile(file, JSON.stringify({ groups: [{ name: 'at-once', rules }] }));
  return file;
}

async function isFiring(alert: string): Promise<boolean> {
  const found = await prometheus.query(`ALERTS{alertname="${alert}",alertstate="firing",namespace="${NAMESPACE}"}`);
  return found.length > 0;
}

/** A command as an operator types it: the second operator has another key. @returns what it printed */
async function type(command: string, filledIn: FilledIn): Promise<string> {
  const { apiUrl, operatorApiKey, operators, chainId, tokens } = stage.stack;
  const operator = operators[command.includes('countersign') ? 1 : 0];
  const keyFile = join(stage.folder, 'operator-api-key');
  await writeFile(keyFile, operatorApiKey);
  const env = {
    ...process.env,
    OPS_API_URL: apiUrl,
    OPS_API_KEY_FILE: keyFile,
    OPS_CHAIN_ID: String(chainId),
    OPS_OPERATOR: operator?.name,
    OPS_KEY_FILE: operator?.keyFile,
    CHAIN_ID: String(chainId),
    CHAIN_EXCHANGES_FILE: join(stage.running.directory, 'exchanges.json'),
    PREFLIGHT_TOKEN: tokens.both,
    ...filledIn,
  };
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], { cwd: WORKSPACE_ROOT, env });
  return stdout;
}

async function typeAll(blocks: readonly (readonly string[])[], filledIn: FilledIn): Promise<string> {
  let printed = '';
  for (const command of blocks.flat()) printed += await type(command, filledIn);
  return printed;
}

it('every runbook that says so is run here, or in a test of its own', () => {
  const run: string[] = RUNS.map(({ runbook }) => runbook);
  expect([...run, 'recovery-drill'].sort()).toEqual([...RUN_BY_A_MACHINE].sort());
});

it.each(RUNS)(
  '$runbook: $alert fires, the commands run, its fault is mended, and it fires no longer',
  { timeout: 1_200_000 },
  async ({ runbook, alert, makeFault, shows, elsewhere, blocksBefore = 0, isMended }) => {
    const firing = () => isFiring(alert);
    await until(`${alert} to be silent`, firing, (fires) => !fires, SOON);
    const fault = await makeFault(stage);
    await until(`${alert} to fire`, firing, (fires) => fires, SOON);
    const ADDRESS = privateKeyToAddress(generatePrivateKey());
    const SAVED = join(stage.folder, `${runbook}.json`);
    const filledIn = { ...fault, ADDRESS, REASON: 'the payer proved it', SAVED };
    const blocks = await runbookBlocks(runbook);
    const printed = await typeAll(blocks.slice(0, blocksBefore), filledIn);
    if (shows) expect(printed).toMatch(shows);
    await elsewhere?.(stage, filledIn);
    await typeAll(blocks.slice(blocksBefore), filledIn);
    await isMended(stage, filledIn);
    await until(`${alert} to clear`, firing, (fires) => !fires, SOON);
  },
);
