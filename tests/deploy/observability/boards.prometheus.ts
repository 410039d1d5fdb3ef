import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogueEntry, catalogue, seriesNames } from './catalogue.ts';
import { DRAWN_BOARDS, type DrawnPanel, sent, type Target } from './drawn-panels.ts';
import { PROMTOOL } from './prometheus-programs.ts';
import { partsOf } from './promql.ts';
import { MAY_BE_ZERO } from './quiet-panels.ts';

const run = promisify(execFile);
const N = 'namespace="n",job="j",instance="i"';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'maker-boards-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const SHOWN = { namespace: 'n', rateInterval: '10m', range: '30m', interval: '1m' };

function targetOf(board: string, title: string, query = 0): Target {
  const panels = DRAWN_BOARDS.filter(({ uid }) => uid === board).flatMap(({ panels }) => panels);
  const target = panels.find((panel) => panel.title === title)?.targets[query];
  if (target === undefined) throw new Error(`board ${board} has no panel ${title}`);
  return target;
}

const expressionOf = (board: string, title: string) => sent(targetOf(board, title).expr, SHOWN);

/** Expects a query to have these values (by labels) half an hour after series began, as promtool computes it. */
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

  it('counts the dead man’s switch as no firing alert', async () => {
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

  it('counts a site that is down', async () => {
    const expr = expressionOf('maker-overview', 'Services missing');
    const down = 'ALERTS{namespace="n",alertname="MakerSiteDown",component="site",alertstate="firing"}';
    await expectShown(expr, { ...up(REQUIRED), [down]: '1x60' }, { '{}': 1 });
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

const entries = new Map(catalogue().flatMap((entry) => seriesNames(entry).map((name) => [name, entry] as const)));

/** Current figures that a single service exposes, with the service. */
const figures = DRAWN_BOARDS.flatMap(({ panels }) =>
  panels
    .filter(({ type, fieldConfig }) => type === 'stat' && fieldConfig.defaults.thresholds)
    .flatMap((panel) => panel.targets.map((target) => ({ panel, target, title: panel.title })))
    .filter(({ target }) => !target.expr.includes('['))
    .flatMap((figure) => {
      const sources = partsOf(figure.target.expr).names.map((name) => entries.get(name)?.services ?? []);
      const services = new Set(sources.filter(({ length }) => length === 1).flat());
      return [...services].map((service) => ({ ...figure, service }));
    }),
);

/** Every series of a query's metrics, each with its own slope; those of one service end after ten minutes. */
function seriesOf(expr: string, ended?: string): Record<string, string> {
  const series: Record<string, string> = {};
  const { names, matchers } = partsOf(expr);
  for (const [index, name] of names.entries()) {
    const { labels = recordedLabels(matchers), services = ['j'] } = entries.get(name) ?? {};
    const all = name.endsWith('_bucket') ? { ...labels, le: ['1', '+Inf'] } : labels;
    const combinations = Object.entries(all).reduce<string[]>(
      (some, [label, values = ['x']]) => some.flatMap((one) => values.map((value) => `${one},${label}="${value}"`)),
      [''],
    );
    for (const service of services)
      for (const combination of combinations)
        series[`${name}{namespace="n",job="${service}",instance="i"${combination}}`] =
          service === ended ? '1+1x10 stale' : `${index + 1}+${index + 1}x60`;
  }
  return series;
}

/** The query of a series that a rule records. */
const recordedLabels = (matchers: ReturnType<typeof partsOf>['matchers']): CatalogueEntry['labels'] =>
  Object.fromEntries(
    matchers.filter(({ label }) => label.startsWith('sloth')).map(({ label, value }) => [label, [value]]),
  );

/** Values of the panel: the last value of each series in its query's answer. */
const readBy = (expr: string, { instant }: Target) => (instant ? expr : `last_over_time((${expr})[30m:1m])`);

describe('a killed service', () => {
  it.each(figures)('$service leaves no value in $title', async ({ panel, target, service }) => {
    const expr = sent(target.expr, SHOWN);
    await expectShown(readBy(expr, target), seriesOf(target.expr, service), {});
    expect(panel.fieldConfig.defaults.mappings).toEqual([redWithoutData]);
  });

  it('affects ten figures of Overview', () => {
    const overview = DRAWN_BOARDS.find(({ uid }) => uid === 'maker-overview')?.panels ?? [];
    const watched = new Set<DrawnPanel>(figures.map(({ panel }) => panel));
    expect(overview.filter((panel) => watched.has(panel)).length).toBe(10);
  });
});

const redWithoutData = expect.objectContaining({
  type: 'special',
  options: expect.objectContaining({ match: 'null+nan', result: expect.objectContaining({ color: 'red' }) }),
});

describe('a panel that is 0 all day', () => {
  const quiet = DRAWN_BOARDS.flatMap(({ title, panels }) =>
    panels.map((panel) => ({ name: `${title.replace('Maker / ', '')}: ${panel.title}`, targets: panel.targets })),
  ).filter(({ name }) => name in MAY_BE_ZERO);

  it.each(quiet)('shows a rise in $name', async ({ targets }) => {
    for (const { expr } of targets) {
      const query = sent(expr, SHOWN);
      await expectShown(`count((${query}) != 0) > bool 0`, seriesOf(expr), { '{}': 1 });
    }
  });
});

describe('lines of groups', () => {
  const route = (name: string) =>
    `maker_http_requests_total{${N},component="api-gateway",method="GET",route="${name}",status="200"}`;

  it('leaves out groups that are 0 all the time', async () => {
    const expr = expressionOf('maker-overview', 'Requests by route');
    await expectShown(expr, { [route('/a')]: '0+60x60', [route('/b')]: '0x60' }, { '{route="/a"}': 1 });
  });

  it('shows only the nine highest', async () => {
    const expr = expressionOf('maker-overview', 'Requests by route');
    const many = Array.from({ length: 20 }, (_, number) => number + 1);
    const series = Object.fromEntries(many.map((number) => [route(`/${number}`), `0+${60 * number}x60`]));
    await expectShown(`count(${expr})`, series, { '{}': 9 });
    await expectShown(`min(${expr})`, series, { '{}': 12 });
  });
});
