import { setTimeout as wait } from 'node:timers/promises';
import { HYPEREVM_CLOCK, type RunningStack } from '@maker/local-stack';
import { FaultyNetwork } from '../../../support/faulty-network.ts';
import { startOwnStack } from '../../../support/own-stack.ts';
import { ProductClient } from '../../../support/product-client.ts';
import { until } from '../../../support/until.ts';
import { type PrometheusServer, startPrometheus } from '../prometheus-server.ts';
import { type AlertmanagerServer, type Notification, startAlertmanager } from './alertmanager-server.ts';
import { type Fault, faults, type Server } from './faults.ts';

/** One page per fault, the right one, within this. */
const TOLD_WITHIN_SECONDS = 300;
const FAULT_LASTS_MS = TOLD_WITHIN_SECONDS * 1000;
const CALM_WITHIN_MS = 20 * 60_000;
const VISIT_EVERY_MS = 1000;
/** Of the job that is at work all the time. */
const WINDOW_SECONDS = 7200;

const firing = ({ receiver, status }: Notification) => receiver === 'page' && status === 'firing';
const seconds = (ms: number) => Math.round(ms / 1000);

/** What came of a fault. */
interface Outcome {
  readonly fault: string;
  readonly pages: readonly Notification[];
  readonly problems: readonly string[];
  readonly toldAfterSeconds: number | undefined;
  readonly calmAfterSeconds: number;
  /** Alerts that fired and were told to nobody who sleeps. */
  readonly silenced: readonly string[];
}

/** Looks at a page as visitors do; what goes wrong is for the alerts. */
function startVisits(product: ProductClient, jobId: string): () => void {
  const { both } = product.stack.tokens;
  const timer = setInterval(() => {
    for (const asked of [
      product.call('GET', `/jobs/${jobId}/status`),
      product.call('POST', '/validate-token', { tokenAddress: both }),
    ])
      asked.catch(() => undefined);
  }, VISIT_EVERY_MS);
  return () => clearInterval(timer);
}

async function alertsNow(prometheus: PrometheusServer, matchers: string): Promise<string[]> {
  const found = await prometheus.query(`ALERTS{alertstate="firing",${matchers}}`);
  return [...new Set(found.map(({ metric }) => metric.alertname ?? ''))];
}

const calm = (prometheus: PrometheusServer): Promise<string[]> =>
  until(
    'calm',
    () => alertsNow(prometheus, 'severity="critical"'),
    (alerts) => alerts.length === 0,
    {
      timeoutMs: CALM_WITHIN_MS,
      everyMs: 2000,
    },
  );

async function tryFault(
  fault: Fault,
  prometheus: PrometheusServer,
  alertmanager: AlertmanagerServer,
): Promise<Outcome> {
  await calm(prometheus);
  const before = alertmanager.told.length;
  const began = Date.now();
  await fault.inject();
  await wait(FAULT_LASTS_MS);
  const mended = Date.now();
  await fault.mend();
  await calm(prometheus);
  const calmAt = Date.now();
  const all = await prometheus.queryRange(
    'ALERTS{alertstate="firing",severity="critical"}',
    began / 1000,
    calmAt / 1000,
    5,
  );
  const fired = [...new Set(all.map(({ metric }) => metric.alertname ?? ''))];
  const pages = alertmanager.told.slice(before).filter(firing);
  const named = new Set(pages.flatMap(({ alerts }) => alerts.map(({ labels }) => labels.alertname ?? '')));
  const first = pages[0]?.at;
  const toldAfterSeconds = first === undefined ? undefined : seconds(first - began);
  const problems = [
    ...(pages.length === 1 ? [] : [`${pages.length} pages`]),
    ...(named.size === 1 && named.has(fault.alert) ? [] : [`named ${[...named].join(', ') || 'nothing'}`]),
    ...((toldAfterSeconds ?? Infinity) <= TOLD_WITHIN_SECONDS ? [] : [`told after ${toldAfterSeconds ?? '∞'} s`]),
  ];
  return {
    fault: fault.name,
    pages,
    problems,
    toldAfterSeconds,
    calmAfterSeconds: seconds(calmAt - mended),
    silenced: fired.filter((alert) => !named.has(alert)),
  };
}

function row({ fault, pages, toldAfterSeconds, calmAfterSeconds, silenced }: Outcome): string {
  const named = [...new Set(pages.flatMap(({ alerts }) => alerts.map(({ labels }) => labels.alertname)))].join(', ');
  const quiet = silenced.join(', ') || '–';
  return `| ${fault} | ${pages.length} | ${named} | ${toldAfterSeconds ?? '–'} | ${calmAfterSeconds} | ${quiet} |`;
}

async function startBroken(): Promise<{ running: RunningStack; networks: Map<Server, FaultyNetwork> }> {
  const networks = new Map<Server, FaultyNetwork>();
  const running = await startOwnStack(
    WINDOW_SECONDS,
    { 'api-gateway': { RATE_LIMIT_REQUESTS: '1000000' } },
    {},
    {
      clock: HYPEREVM_CLOCK,
      async reach(server, port) {
        const network = await FaultyNetwork.before(port);
        networks.set(server, network);
        return network.port;
      },
    },
  );
  return { running, networks };
}

const chosen = process.argv.slice(2);
const { running, networks } = await startBroken();
const alertmanager = await startAlertmanager();
const prometheus = await startPrometheus(running.stack.ops, alertmanager.host);
const outcomes: Outcome[] = [];
try {
  const product = new ProductClient(running.stack);
  const { jobId, paymentAddress } = await product.createJob(running.stack.tokens.both, 0.25);
  await product.pay(paymentAddress, '0.25');
  const endVisits = startVisits(product, jobId);
  for (const fault of faults(running, networks)) {
    if (chosen.length > 0 && !chosen.some((word) => fault.name.includes(word))) continue;
    console.log(`… ${fault.name}`);
    const outcome = await tryFault(fault, prometheus, alertmanager);
    outcomes.push(outcome);
    console.log(`${outcome.problems.length ? '✗' : '✓'} ${row(outcome)} ${outcome.problems.join('; ')}`);
  }
  endVisits();
  const beats = alertmanager.told.filter(({ receiver }) => receiver === 'deadMansSwitch').length;
  console.log(`the dead man's switch was told of ${beats} times`);
  if (beats === 0 || outcomes.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
} finally {
  await prometheus.stop();
  await alertmanager.stop();
  await running.stop();
  for (const network of networks.values()) await network.stop();
}
