import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertCase, AlertSituation } from './alert-case.ts';
import { ALERT_CASES } from './alert-cases.ts';
import { PROMTOOL } from './prometheus-programs.ts';
import { alerts, recordings, ruleFiles } from './rule-files.ts';

const run = promisify(execFile);

const THREE_DAYS_MINUTES = 3 * 24 * 60;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'maker-alerts-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it('promtool accepts the rules', async () => {
  const { stdout } = await run(PROMTOOL, ['check', 'rules', '--lint=all', '--lint-fatal', ...ruleFiles()]);
  expect(stdout).not.toMatch(/FAILED|error/i);
});

it('each alert has a case', () => {
  const covered = new Set(ALERT_CASES.map(nameOf));
  for (const { alert, labels } of alerts())
    expect([...covered]).toContain(nameOf({ alert, burn: labels?.sloth_severity }));
});

function ruleOf({ alert, burn }: AlertCase) {
  const rule = alerts().find((one) => one.alert === alert && one.labels?.sloth_severity === burn);
  if (!rule) throw new Error(`no rule for ${alert} ${burn ?? ''}`);
  return rule;
}

/** The fault of a case, three days later. */
function lasting({ fires, lasts = fires.series, everyMinutes = 1 }: AlertCase): AlertSituation {
  // A multiple of the evaluation's interval.
  const at = 10 * Math.ceil((Number.parseInt(fires.at, 10) + THREE_DAYS_MINUTES) / 10);
  const steps = Math.ceil(at / everyMinutes);
  const extended = Object.entries(lasts).map(([name, values]) => [name, values.replace(/x\d+$/, `x${steps}`)]);
  return { series: Object.fromEntries(extended), at: `${at}m` };
}

/** Runs one situation through promtool, with this rule and the recorded series that it may use. */
async function expectSituation(
  one: AlertCase,
  { series, at }: AlertSituation,
  expected: 'silent' | 'fires' | { says: string },
  evaluationMinutes = one.everyMinutes ?? 1,
) {
  const { file: _, ...rule } = ruleOf(one);
  const rules = join(directory, 'rules.json');
  const test = join(directory, 'test.json');
  const records = recordings().filter(({ record, labels }) =>
    rule.expr.includes(`${record}{sloth_id="${labels?.sloth_id}"`),
  );
  await writeFile(rules, JSON.stringify({ groups: [{ name: 'tested', rules: [...records, rule] }] }));
  const every = `${one.everyMinutes ?? 1}m`;
  const situation = {
    interval: every,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    ...check(one, at, expected),
  };
  await writeFile(
    test,
    JSON.stringify({ rule_files: [rules], evaluation_interval: `${evaluationMinutes}m`, tests: [situation] }),
  );
  await run(PROMTOOL, ['test', 'rules', test]).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.stdout ?? ''}${error.stderr ?? ''}`);
  });
}

function check(one: AlertCase, at: string, expected: 'silent' | 'fires' | { says: string }): object {
  if (typeof expected === 'string') {
    const expr = `count(ALERTS{alertname="${one.alert}",alertstate="firing"}) > 0`;
    const samples = expected === 'fires' ? [{ labels: '{}', value: 1 }] : [];
    return { promql_expr_test: [{ expr, eval_time: at, exp_samples: samples }] };
  }
  const { labels, annotations } = ruleOf(one);
  const alert = {
    exp_labels: { ...labels, ...one.fires.labels },
    exp_annotations: { ...annotations, description: expected.says },
  };
  return { alert_rule_test: [{ eval_time: at, alertname: one.alert, exp_alerts: [alert] }] };
}

function nameOf({ alert, burn }: { alert: string; burn?: string | undefined }): string {
  return burn === undefined ? alert : `${alert} ${burn}`;
}

describe.each(ALERT_CASES.map((one) => ({ one, name: [nameOf(one), one.because].filter(Boolean).join(': ') })))(
  '$name',
  ({ one }) => {
    it('fires with its description', () => expectSituation(one, one.fires, one.fires));

    it('still fires when the fault has lasted three days', () =>
      expectSituation(one, lasting(one), 'fires', Math.max(10, one.everyMinutes ?? 1)));

    it('is silent without a fault, or nearly one', () => expectSituation(one, one.silent, 'silent'));

    it(one.absent.fires ? 'fires when its metric is gone' : 'is silent when its metric is gone', () =>
      expectSituation(one, one.absent, one.absent.fires ? 'fires' : 'silent'),
    );
  },
);
