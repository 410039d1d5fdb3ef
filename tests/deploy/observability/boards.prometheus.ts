import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOARDS } from '../../../tools/dashboards/boards.ts';
import { PROMTOOL } from './prometheus-programs.ts';

const run = promisify(execFile);
const N = 'namespace="n",job="j",instance="i"';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'maker-boards-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

function expressionOf(board: string, title: string, query = 0): string {
  const panels = BOARDS.filter(({ uid }) => uid === board).flatMap(({ rows }) => rows.flatMap((row) => row.panels));
  const expr = panels.find((panel) => panel.title === title)?.queries[query]?.expr;
  if (expr === undefined) throw new Error(`board ${board} has no panel ${title}`);
  return expr
    .replaceAll(/\$__rate_interval|\$__range/g, '30m')
    .replaceAll('$namespace', 'n')
    .replaceAll(/\$(job|instance)/g, '.*');
}

/** Expects a panel's query to show these values (by labels) half an hour after series began, as promtool computes it. */
async function expectShown(
  expr: string,
  series: Readonly<Record<string, string>>,
  values: Readonly<Record<string, number>>,
): Promise<void> {
  const file = join(directory, 'test.json');
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, steps]) => ({ series: name, values: steps })),
    promql_expr_test: [
      { expr, eval_time: '30m', exp_samples: Object.entries(values).map(([labels, value]) => ({ labels, value })) },
    ],
  };
  await writeFile(file, JSON.stringify({ rule_files: [], evaluation_interval: '1m', tests: [test] }));
  await run(PROMTOOL, ['test', 'rules', file]).catch((error: { stdout?: string; stderr?: string }) => {
    expect.fail(`${error.stdout ?? ''}${error.stderr ?? ''}`);
  });
}

describe('Overview', () => {
  const firing = (alert: string) => `ALERTS{namespace="n",alertname="${alert}",alertstate="firing"}`;

  it('leaves the dead man’s switch out of the alerts that fire', async () => {
    const expr = expressionOf('maker-overview', 'Alerts firing');
    await expectShown(expr, { [firing('MakerAlertingWorks')]: '1x60' }, { '{}': 0 });
    await expectShown(expr, { [firing('MakerAlertingWorks')]: '1x60', [firing('MakerNonceGap')]: '1x60' }, { '{}': 1 });
  });

  const up = (components: readonly string[]) =>
    Object.fromEntries(components.map((component) => [`maker_service_up{${N},component="${component}"}`, '1x60']));
  const REQUIRED = ['api-gateway', 'token-validation', 'job', 'payment-watcher', 'maker-executor', 'receipts'];

  it('counts a missing executor beside an optional service', async () => {
    const expr = expressionOf('maker-overview', 'Services missing');
    await expectShown(expr, up([...REQUIRED, 'webhook-sender']), { '{}': 0 });
    await expectShown(expr, up([...REQUIRED.filter((name) => name !== 'maker-executor'), 'webhook-sender']), {
      '{}': 1,
    });
  });
});

describe('Orders', () => {
  it('shows a service fee of 30 %', async () => {
    const figure = `${N},figure="service_fee"`;
    const series = {
      [`maker_quality_jobs_ratio_sum{${figure}}`]: '0+0.3x60',
      [`maker_quality_jobs_ratio_count{${figure}}`]: '0+1x60',
      [`maker_quality_jobs_ratio_bucket{${figure},le="0.1"}`]: '0x60',
      [`maker_quality_jobs_ratio_bucket{${figure},le="+Inf"}`]: '0+1x60',
      [`maker_quality_jobs_ratio_bucket{${figure},le="3"}`]: '0+1x60',
    };
    const expr = expressionOf('maker-maker', 'Where the shortfall came from');
    await expectShown(expr, series, { '{figure="service_fee"}': 0.3 });
  });
});
