import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../../tools/go-tool.ts';
import { RUN_BY_A_MACHINE, runbookBlocks, signingFunctions } from '../../support/runbook-commands.ts';
import { until } from '../../support/until.ts';
import { NAMESPACE } from './prometheus-server.ts';
import { alerts, recordings } from './rule-files.ts';
import { BROKER_RUNS } from './runbooks/broker-runs.ts';
import { EDGE_RUNS } from './runbooks/edge-runs.ts';
import { ENDPOINT_RUNS } from './runbooks/endpoint-runs.ts';
import { EXECUTION_RUNS } from './runbooks/execution-runs.ts';
import { MONEY_RUNS } from './runbooks/money-runs.ts';
import { OUTAGE_RUNS } from './runbooks/outage-runs.ts';
import { PROCESS_RUNS } from './runbooks/process-runs.ts';
import { type FilledIn, type Run, RunbookStage, SOON } from './runbooks/runbook-stage.ts';
import { SCAN_RUNS } from './runbooks/scan-runs.ts';
import { SERVER_RUNS } from './runbooks/server-runs.ts';
import { TRADING_RUNS } from './runbooks/trading-runs.ts';

const RUNS: readonly Run[] = [
  ...MONEY_RUNS,
  ...EDGE_RUNS,
  ...TRADING_RUNS,
  ...SCAN_RUNS,
  ...ENDPOINT_RUNS,
  ...BROKER_RUNS,
  ...EXECUTION_RUNS,
  ...PROCESS_RUNS,
  ...OUTAGE_RUNS,
  ...SERVER_RUNS,
];

/** A reading that is cached for five seconds, the next scrape, and the evaluation after it. */
const SEEN_WITHIN_SECONDS = 12;

/** Every window of a budget: five minutes instead of thirty days. */
const BUDGET_WINDOW = '[1m]';

let stage: RunbookStage;

/** The chart's alerts without waiting times: `alert-cases.ts` tests how long a fault must last. */
function rulesWithoutPatience(runs: readonly Run[]): object {
  const rules = runs.map(({ alert: named, patience = {} }) => {
    const rule = alerts().find(({ alert }) => alert === named);
    if (!rule) throw new Error(`there is no ${named}`);
    const expr = Object.entries(patience).reduce((text, [written, here]) => {
      if (!text.includes(written)) throw new Error(`${named} has no ${written}`);
      return text.replaceAll(written, here);
    }, rule.expr);
    return { alert: named, expr, labels: rule.labels };
  });
  const budgets = recordings()
    .filter(({ record }) => record.startsWith('slo:sli_error:'))
    .map(({ expr, ...recording }) => ({ ...recording, expr: expr.replaceAll(/\[\d+[mhd]\]/g, BUDGET_WINDOW) }));
  return { groups: [{ name: 'at-once', rules: [...budgets, ...rules] }] };
}

const firing = (alert: string) => `ALERTS{alertname="${alert}",alertstate="firing",namespace="${NAMESPACE}"}`;

async function isFiring(alert: string): Promise<boolean> {
  return (await stage.prometheus.query(firing(alert))).length > 0;
}

/**
 * Waits until an alert that fires later belongs to the next fault: no job of the previous case runs, and Prometheus has scraped and
 * evaluated all its effects without the alert.
 */
async function untilPreviousCaseIsOver(alert: string, isAlwaysFiring: boolean): Promise<void> {
  await stage.endAllJobs();
  const from = Date.now();
  const lately = `max_over_time(${firing(alert)}[${SEEN_WITHIN_SECONDS}s])`;
  const isAsItShould = async () =>
    isAlwaysFiring
      ? isFiring(alert)
      : (await stage.prometheus.query(lately)).length === 0 && Date.now() - from > SEEN_WITHIN_SECONDS * 1000;
  await until(`${alert} to be as it should`, isAsItShould, (quiet) => quiet, SOON);
}

/** Replaces the pod of the operator's tool: this checkout's tool, without an operator's key. */
const OPS_POD = `#!/bin/sh
case "$*" in
  "-n maker exec deploy/maker-ops -- ops "*) shift 6 ;;
  "-n maker exec -i deploy/maker-ops -- ops "*) shift 7 ;;
  *) exit 127 ;;
esac
exec npm run --silent ops -- "$@"
`;

/** A folder with the broker's own program and {@link OPS_POD}, created on first use. */
async function folderOfPrograms(): Promise<string> {
  const folder = join(stage.folder, 'programs');
  await mkdir(folder, { recursive: true });
  await symlink(await findTool('nats'), join(folder, 'nats')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await writeFile(join(folder, 'kubectl'), OPS_POD, { mode: 0o755 });
  return folder;
}

/** A command as an operator types it. @returns its output */
async function type(command: string, filledIn: FilledIn): Promise<string> {
  const { apiUrl, operatorApiKey, operators, chainId, tokens } = stage.stack;
  const [first, second] = operators;
  const keyFile = join(stage.folder, 'operator-api-key');
  await writeFile(keyFile, operatorApiKey);
  const env = {
    ...process.env,
    ...(/^(?:nats|kubectl|give) /.test(command)
      ? { PATH: `${await folderOfPrograms()}${delimiter}${process.env.PATH}` }
      : {}),
    OPS_API_URL: apiUrl,
    OPS_API_KEY_FILE: keyFile,
    OPS_CHAIN_ID: String(chainId),
    OPERATOR: first?.name,
    OPERATOR_KEY: first?.keyFile,
    COMMAND: join(stage.folder, 'command.txt'),
    CHAIN_ID: String(chainId),
    CHAIN_EXCHANGES_FILE: join(stage.running.directory, 'exchanges.json'),
    PREFLIGHT_TOKEN: tokens.both,
    RPC: stage.stack.rpcUrl,
    PROMETHEUS: stage.prometheus.url,
    ...filledIn,
  };
  const shell = async (line: string, own = {}) => {
    const lines = [...(await signingFunctions()), line].join('\n');
    return (await promisify(execFile)('sh', ['-ec', lines], { cwd: WORKSPACE_ROOT, env: { ...env, ...own } })).stdout;
  };
  if (!command.includes('$SECOND')) return shell(command);
  const SECOND = await shell('sign', { OPERATOR: second?.name, OPERATOR_KEY: second?.keyFile });
  return shell(command, { SECOND });
}

async function typeAll(blocks: readonly (readonly string[])[], filledIn: FilledIn): Promise<string> {
  let printed = '';
  for (const command of blocks.flat()) printed += await type(command, filledIn);
  return printed;
}

it('every runnable runbook has a run', () => {
  const run: string[] = RUNS.map(({ runbook }) => runbook);
  expect([...run, 'recovery-drill'].sort()).toEqual([...RUN_BY_A_MACHINE].sort());
});

describe.each([
  { chain: 'a fast chain', inStep: false },
  { chain: 'a chain in step with our clock', inStep: true },
])('on $chain', ({ inStep }) => {
  const runs = RUNS.filter((run) => (run.inStep ?? false) === inStep);

  beforeAll(async () => {
    stage = await RunbookStage.start(inStep, rulesWithoutPatience(runs));
  }, 200_000);

  afterAll(async () => {
    await stage?.stop();
  });

  it.each(runs)(
    '$runbook: $alert fires, and its commands resolve it',
    { timeout: 1_200_000 },
    async ({ runbook, alert, isAlwaysFiring = false, makeFault, shows, elsewhere, blocksBefore = 0, isMended }) => {
      const hasChanged = async () => (await isFiring(alert)) !== isAlwaysFiring;
      await untilPreviousCaseIsOver(alert, isAlwaysFiring);
      const given = { ADDRESS: privateKeyToAddress(generatePrivateKey()), REASON: 'the payer proved it' };
      const blocks = await runbookBlocks(runbook);
      let filledIn: FilledIn = given;
      try {
        filledIn = { ...(await makeFault(stage)), ...given };
        await until(`${alert} to change`, hasChanged, Boolean, SOON);
        const printed = await typeAll(blocks.slice(0, blocksBefore), filledIn);
        if (shows) expect(printed).toMatch(shows);
      } finally {
        // Other cases use the same stage, also after a failure.
        await elsewhere?.(stage, filledIn);
      }
      await typeAll(blocks.slice(blocksBefore), filledIn);
      await isMended(stage, filledIn);
      await until(`${alert} to change back`, hasChanged, (changed) => !changed, SOON);
    },
  );
});
