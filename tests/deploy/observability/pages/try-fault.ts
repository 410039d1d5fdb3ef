import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../support/until.ts';
import type { PrometheusServer } from '../prometheus-server.ts';
import type { AlertmanagerServer, Notification } from './alertmanager-server.ts';
import type { Fault } from './faults.ts';
import type { Overview } from './overview.ts';

/** Time limit for the one right page of a fault. */
const PAGED_WITHIN_SECONDS = 300;
const FAULT_LASTS_MS = PAGED_WITHIN_SECONDS * 1000;
const CALM_WITHIN_MS = 20 * 60_000;
const SCRAPE_STEP_SECONDS = 5;

const seconds = (ms: number) => Math.round(ms / 1000);

/** Result of a fault. */
export interface Outcome {
  readonly fault: string;
  /** Number of pages. */
  readonly pages: number;
  /** Alerts in the pages. */
  readonly named: readonly string[];
  readonly pagedAfterSeconds: number | undefined;
  /** Time from the fault's end until the notification of its end. */
  readonly resolvedAfterSeconds: number;
  /** Alerts that fired without a page. */
  readonly silenced: readonly string[];
  /** Panels of the board Overview that turned orange or red. */
  readonly shown: readonly string[];
  readonly problems: readonly string[];
}

/** Sources about a stack's namespace. */
export interface Watch {
  readonly namespace: string;
  readonly prometheus: PrometheusServer;
  readonly alertmanager: AlertmanagerServer;
  readonly overview: Overview;
}

/** Alerts that page, by the time at which they fired. */
const paging = (namespace: string) => `ALERTS{alertstate="firing",severity="page",namespace="${namespace}"}`;

const nameOf = ({ alertname = '' }: Readonly<Record<string, string>>) => alertname;

async function calm({ prometheus, namespace }: Watch): Promise<void> {
  const alertsNow = async () => (await prometheus.query(paging(namespace))).map(({ metric }) => nameOf(metric));
  const limits = { timeoutMs: CALM_WITHIN_MS, everyMs: 2000 };
  await until(`calm in ${namespace}`, alertsNow, (alerts) => alerts.length === 0, limits);
}

/** Lets a fault last for as long as its page may take, ends it, and waits until all notifications of its end have arrived. */
export async function tryFault(fault: Fault, watch: Watch): Promise<Outcome> {
  const { namespace, prometheus, alertmanager, overview } = watch;
  await calm(watch);
  await overview.filled(namespace);
  const before = alertmanager.notifications.length;
  const sentSince = () =>
    alertmanager.notifications
      .slice(before)
      .filter(({ receiver, alerts }) => receiver === 'page' && alerts[0]?.labels.namespace === namespace);
  const began = Date.now();
  await fault.inject();
  await wait(FAULT_LASTS_MS);
  const shown = await overview.read(fault.name, namespace, began / 1000);
  const mended = Date.now();
  await fault.mend();
  await calm(watch);
  const sent = await untilAllIsOver(sentSince);
  const over = sent.at(-1)?.at ?? Date.now();
  const fired = await prometheus.queryRange(paging(namespace), began / 1000, over / 1000, SCRAPE_STEP_SECONDS);
  const pages = sent.filter(({ status }) => status === 'firing');
  const named = namesIn(pages);
  const first = pages[0]?.at;
  const pagedAfterSeconds = first === undefined ? undefined : seconds(first - began);
  return {
    fault: fault.name,
    pages: pages.length,
    named,
    pagedAfterSeconds,
    resolvedAfterSeconds: seconds(over - mended),
    silenced: [...new Set(fired.map(({ metric }) => nameOf(metric)))].filter((alert) => !named.includes(alert)),
    shown,
    problems: [
      ...(shown.length > 0 ? [] : ['no panel of Overview changed']),
      ...(pages.length === 1 ? [] : [`${pages.length} pages`]),
      ...(named.length === 1 && named[0] === fault.alert ? [] : [`named ${named.join(', ') || 'nothing'}`]),
      ...((pagedAfterSeconds ?? Infinity) <= PAGED_WITHIN_SECONDS ? [] : [`paged after ${pagedAfterSeconds ?? '∞'} s`]),
    ],
  };
}

const namesIn = (pages: readonly Notification[]): string[] => [
  ...new Set(pages.flatMap(({ alerts }) => alerts.map(({ labels }) => nameOf(labels)))),
];

/** Waits until the last notification of each alert is its end. */
function untilAllIsOver(sent: () => Notification[]): Promise<Notification[]> {
  const lastWords = (pages: readonly Notification[]) => new Map(pages.map((page) => [namesIn([page])[0], page.status]));
  return until(
    'the word that it is over',
    () => Promise.resolve(sent()),
    (pages) => [...lastWords(pages).values()].every((status) => status === 'resolved'),
    { timeoutMs: CALM_WITHIN_MS, everyMs: 2000 },
  );
}
