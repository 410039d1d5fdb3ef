import { join } from 'node:path';
import { ALL_SERVICES, HYPEREVM_CLOCK, type RunningStack, type ServiceName } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOARDS } from '../../../tools/dashboards/boards.ts';
import { type FaultyNetwork, reachThrough } from '../../support/faulty-network.ts';
import { startOwnStack } from '../../support/own-stack.ts';
import { ProductClient } from '../../support/product-client.ts';
import { until } from '../../support/until.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { askBoard, type Drawing, queryOf } from './board-answers.ts';
import { openStudio, type Studio } from './board-pictures.ts';
import { type CatalogueEntry, catalogue } from './catalogue.ts';
import { DRAWN_BOARDS } from './drawn-panels.ts';
import { countSeries, parseExposition } from './exposition.ts';
import { type FakeExporters, startFakeExporters } from './fake-exporters.ts';
import type { Server } from './pages/faults.ts';
import { faultsOf } from './panel-faults.ts';
import { NAMESPACE, type PrometheusServer, type Series, startPrometheus } from './prometheus-server.ts';
import { MAY_BE_ZERO } from './quiet-panels.ts';
import { askAtRandom } from './random-requests.ts';
import { WORKSPACE } from './rule-files.ts';
import { ScriptedDay } from './scripted-day.ts';
import { ShownCanary } from './shown-canary.ts';

/** Requests of strangers; RANDOM_REQUESTS=100000 for the long run, a minute more. */
const STRANGERS = Number(process.env.RANDOM_REQUESTS ?? 20_000);
/** By then each kind of request and each kind of answer has occurred. */
const WARM_UP = 6000;
const STEP_SECONDS = 1;
const GIVEN_UP_AFTER_MS = 300_000;

/** Folder of the boards' pictures: `npm run dashboards` sets it. */
const PICTURES = join(WORKSPACE, process.env.BOARD_PICTURES ?? 'test-results/boards');

let running: RunningStack;
let prometheus: PrometheusServer;
let receiver: WebhookReceiver;
let exporters: FakeExporters;
let canary: ShownCanary;
let studio: Studio;
let beganAt: number;
let endedAt: number;
const seriesBefore = new Map<ServiceName, number>();
const seriesAfter = new Map<ServiceName, number>();
const alertsSeen = new Set<string>();

const networks = new Map<Server, FaultyNetwork>();

const now = () => Date.now() / 1000;
const metricsOf = async (service: ServiceName) => (await fetch(`${running.stack.ops[service]}/metrics`)).text();

const see = (alerts: readonly { readonly metric: Series['metric'] }[]) => {
  for (const { metric } of alerts) alertsSeen.add(`${metric.alertname} ${metric.component ?? ''}`.trim());
};

async function countAll(into: Map<ServiceName, number>): Promise<void> {
  for (const service of ALL_SERVICES) into.set(service, countSeries(parseExposition(await metricsOf(service))));
}

beforeAll(async () => {
  // Otherwise the rate limit would refuse the strangers.
  const unlimited = { 'api-gateway': { RATE_LIMIT_REQUESTS: '100000000' } };
  // It refuses messages at first, so that some wait.
  receiver = await WebhookReceiver.start({ refuses: 8 });
  const { endpointsFile: webhookEndpointsFile } = receiver;
  running = await startOwnStack(
    75,
    unlimited,
    {},
    { clock: HYPEREVM_CLOCK, webhookEndpointsFile, reach: reachThrough(networks) },
  );
  exporters = await startFakeExporters(running.stack);
  canary = await ShownCanary.start(running.stack);
  const targets = { ...running.stack.ops, ...exporters.targets, canary: canary.target };
  prometheus = await startPrometheus(targets);
  await until(
    'the first scrapes',
    () => prometheus.query('up == 1'),
    (up) => up.length === Object.keys(targets).length,
  );
  studio = await openStudio();
  beganAt = now();
  const day = new ScriptedDay(running, new ProductClient(running.stack), networks);
  await day.morning(WARM_UP);
  const { honeypot, both } = running.stack.tokens;
  await canary.round(honeypot);
  await canary.round(both, 'canary-part-1');
  await canary.round(both);
  await day.noon();
  await day.afternoon();
  await day.evening();
  await countAll(seriesBefore);
  const strangersCameAt = now();
  await askAtRandom(running.stack, STRANGERS);
  const strangersTook = Math.round(now() - strangersCameAt);
  await countAll(seriesAfter);
  const growth = ALL_SERVICES.map((service) => `${service} ${seriesBefore.get(service)} → ${seriesAfter.get(service)}`);
  console.log(`Series before and after ${STRANGERS} random requests (${strangersTook} s): ${growth.join(', ')}`);
  // The last one: an event is retried for almost three minutes before it is given up.
  for (const alert of ['MakerMoneyHeld', 'MakerEventsParked']) {
    const found = await until(
      alert,
      () => prometheus.query(`ALERTS{alertname="${alert}"}`),
      (found) => found.length > 0,
      { timeoutMs: GIVEN_UP_AFTER_MS },
    );
    see(found);
  }
  await day.night();
  await until(
    'the pause in Prometheus',
    () => prometheus.query('max(maker_execution_paused{reason="gas_guardrail"}) > 0'),
    (paused) => paused.length > 0,
  );
  endedAt = now();
  // The last step excludes the last second.
  see(await prometheus.queryRange('ALERTS', beganAt, endedAt, 1));
}, 1_800_000);

afterAll(async () => {
  console.log(`Quiet panels that showed something: ${loud.filter((name) => name in MAY_BE_ZERO).join(', ') || 'none'}`);
  await studio?.close();
  await prometheus?.stop();
  await exporters?.stop();
  await canary?.stop();
  await running?.stop();
  await receiver?.stop();
  for (const network of networks.values()) await network.stop();
});

/** Time range of the boards: the whole day. */
const shown = () => ({
  namespace: NAMESPACE,
  rateInterval: '15s',
  from: beganAt,
  to: endedAt,
  stepSeconds: STEP_SECONDS,
});

const numbers = (series: readonly Series[]) => series.flatMap(({ values }) => values.map(([, value]) => Number(value)));
/** Panels with a value above 0. */
const loud: string[] = [];
const nameOf = (board: { title: string }, panel: { title: string }) =>
  `${board.title.replace('Maker / ', '')}: ${panel.title}`;
const panels = BOARDS.flatMap((board) =>
  board.rows.flatMap((row) => row.panels.map((panel) => ({ ...panel, name: nameOf(board, panel) }))),
);

describe('every panel shows something after a day of all kinds', () => {
  it.each(panels)('$name', async ({ name, queries }) => {
    const answers = await Promise.all(
      queries.map(({ expr }) => prometheus.queryRange(queryOf(expr, shown()), beganAt, endedAt, STEP_SECONDS)),
    );
    const empty = answers.flatMap((series, index) => (series.length === 0 ? [queries[index]?.legend ?? name] : []));
    if (!(name in MAY_BE_ZERO)) expect(empty, 'queries without data').toEqual([]);
    const allZero = answers.flatMap(numbers).every((value) => value === 0 || Number.isNaN(value));
    if (!(name in MAY_BE_ZERO)) expect(allZero, 'shows nothing but 0').toBe(false);
    if (empty.length === 0 && !allZero) loud.push(name);
  });

  it.each(['namespace', 'job', 'instance'])('the variable %s has values', async (label) => {
    expect((await prometheus.get<string[]>(`/label/${label}/values?match[]=maker_service_up`)).length).toBeGreaterThan(
      0,
    );
  });
});

describe.each(DRAWN_BOARDS)('$title as Grafana draws it', (board) => {
  let drawing: Drawing;

  beforeAll(async () => {
    drawing = await askBoard(prometheus, board, shown());
  });

  it('shows data in every panel, in few lines', () => {
    const faults = board.panels
      .filter((panel) => !(nameOf(board, panel) in MAY_BE_ZERO))
      .flatMap((panel) => faultsOf(panel, drawing.answers[panel.id] ?? []).map((fault) => `${panel.title} ${fault}`));
    expect(faults).toEqual([]);
  });

  it.each(['dark', 'light'] as const)('is drawn without an error, %s', async (mode) => {
    expect(await studio.draw(drawing, mode, join(PICTURES, `${board.name}-${mode}.png`))).toEqual([]);
  });
});

describe('the services expose exactly the catalogue', () => {
  const entries = catalogue();
  const byName = new Map<string, CatalogueEntry>(entries.map((entry) => [entry.name, entry]));

  it.each(ALL_SERVICES)('%s: the same metrics, with listed label values', async (service) => {
    const shown = parseExposition(await metricsOf(service));
    const expected = entries.filter(({ services }) => services.includes(service)).map(({ name }) => name);
    expect([...shown.keys()].sort()).toEqual(expected.sort());
    for (const [name, { type, series }] of shown) {
      const entry = byName.get(name);
      expect(type).toBe(entry?.type);
      for (const { labels } of series) {
        for (const [label, value] of Object.entries(labels)) {
          const allowed = label === 'le' ? undefined : entry?.labels[label];
          if (allowed) expect(allowed, `${label} of ${name}`).toContain(value);
        }
      }
    }
  });

  it.each(ALL_SERVICES)('%s shows no job, address, hash or key (design § 6)', async (service) => {
    const text = await metricsOf(service);
    expect(text).not.toMatch(/job_[0-9a-f]{16}/);
    expect(text).not.toMatch(/0x[0-9a-fA-F]{16}/);
    expect(text).not.toContain(running.stack.apiKey);
  });

  it.each(ALL_SERVICES)(`%s has no more series after ${STRANGERS} random requests`, (service) => {
    expect(seriesAfter.get(service)).toBe(seriesBefore.get(service));
  });
});

describe('the rules on a real day', () => {
  it('are all evaluated without an error', async () => {
    const { groups } = await prometheus.get<{
      groups: { rules: { name: string; health: string; lastError?: string }[] }[];
    }>('/rules');
    const unwell = groups.flatMap(({ rules }) => rules).filter(({ health }) => health !== 'ok');
    expect(unwell).toEqual([]);
  });

  it.each([
    ['MakerMoneyHeld', 'the payer is a contract that gave no return address'],
    ['MakerServiceMissing job', 'the job service was killed'],
    ['MakerServiceMissing payment-watcher', 'the watcher was killed'],
    ['MakerServiceMissing maker-executor', 'the executor was killed'],
    ['MakerGasAboveGuardrail', 'gas rose above 10 gwei'],
    ['MakerMoneyUnclaimed', 'a contract paid after the end'],
    ['MakerEventsParked', 'an invalid event arrived'],
  ])('%s was pending: %s', (alert) => {
    expect([...alertsSeen]).toContain(alert);
  });

  it('the day broke no invariant of money', () => {
    for (const alert of [
      'MakerLedgerDrift',
      'MakerNonceGap',
      'MakerSigningRefused',
      'MakerJobRefused',
      'MakerCreditDropped',
      'MakerPaidJobFailed',
      'MakerReturnsFailing',
    ]) {
      expect([...alertsSeen]).not.toContain(alert);
    }
  });
});
