import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { type Inhibition, inhibitions, isPage } from './causes.ts';
import { type AlertmanagerServer, startAlertmanager } from './pages/alertmanager-server.ts';
import { alerts } from './rule-files.ts';

const WAITS = { cause: '1s', symptom: '15s', another: '3s', note: '1s', deadMansSwitch: '1s' };
/** A symptom shows first; its cause is still in time. */
const CAUSE_COMES_AFTER_MS = 2000;

const { inhibitions: causes, symptoms } = inhibitions();
const nameOf = ({ alert, labels = {} }: Inhibition) => [alert, ...Object.values(labels)].join(' ');
const namespaceOf = (cause: Inhibition) => nameOf(cause).replaceAll(' ', '-');
// Read once: what takes longer than a symptom waits would be told before its cause. Of an alert on a budget the page, which is first.
const SEVERITIES = new Map(
  alerts()
    .toReversed()
    .map(({ alert = '', labels }) => [alert, labels?.severity ?? '']),
);
const severityOf = (name: string) => SEVERITIES.get(name) ?? '';

/** What wakes somebody where everything that can be explained fires, and no cause but such as are explained themselves. */
const EXPLAINED = causes.filter(({ alert }) => symptoms.includes(alert)).flatMap(({ targets }) => targets);
const ROOTS = symptoms.filter((alert) => isPage(alert) && !EXPLAINED.includes(alert));

let alertmanager: AlertmanagerServer;

/** As Prometheus does. */
async function fire(list: readonly { alert: string; labels?: Readonly<Record<string, string>>; namespace: string }[]) {
  const startsAt = new Date().toISOString();
  const body = list.map(({ alert, labels, namespace }) => ({
    labels: { alertname: alert, severity: severityOf(alert), namespace, ...labels },
    startsAt,
  }));
  const answer = await fetch(`http://${alertmanager.host}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

beforeAll(async () => {
  alertmanager = await startAlertmanager(WAITS);
  await fire(causes.flatMap((cause) => cause.targets.map((alert) => ({ alert, namespace: namespaceOf(cause) }))));
  await fire([{ alert: 'MakerAlertingWorks', namespace: 'alone' }]);
  await wait(CAUSE_COMES_AFTER_MS);
  await fire(causes.map((cause) => ({ ...cause, namespace: namespaceOf(cause) })));
  // Symptoms wait equally long: when these are told, whatever else was to be told has been.
  await fire(symptoms.map((alert) => ({ alert, namespace: 'alone' })));
  const rootsTold = () => Promise.resolve(pagedIn('alone'));
  await until('the last pages', rootsTold, (paged) => paged.length >= ROOTS.length);
});

afterAll(() => alertmanager?.stop());

/** Alerts that woke somebody, in a namespace. */
const pagedIn = (namespace: string): string[] =>
  alertmanager.told
    .filter(({ receiver }) => receiver === 'page')
    .flatMap(({ alerts: told }) => told.map(({ labels }) => labels))
    .filter((labels) => labels.namespace === namespace)
    .map(({ alertname = '' }) => alertname);

describe.each(causes.map((cause) => ({ cause, name: nameOf(cause) })))('$name', ({ cause }) => {
  const pages = isPage(cause.alert) ? [cause.alert] : [];

  it(pages.length > 0 ? 'is the one page of its fault' : 'is a ticket beside the page of its fault', () => {
    expect(pagedIn(namespaceOf(cause))).toEqual(pages);
  });
});

it('an alert without a firing cause is sent', () => {
  expect(pagedIn('alone').sort()).toEqual([...ROOTS].sort());
});

it('pages for the API soon after the site', async () => {
  const namespace = 'two-missing';
  const missing = (component: string) => ({ alert: 'MakerSiteDown', labels: { component }, namespace });
  const told = () => Promise.resolve(pagedIn(namespace));
  await fire([missing('site')]);
  await until('the first page', told, (paged) => paged.length > 0);
  await fire([missing('api-gateway')]);
  // The page of both names both.
  await until('the second page', told, (paged) => paged.length === 3);
});

it('the dead man’s switch is sent and pages no one', () => {
  const told = alertmanager.told.filter(({ alerts: list }) =>
    list.some(({ labels }) => labels.alertname === 'MakerAlertingWorks'),
  );
  expect(new Set(told.map(({ receiver }) => receiver))).toEqual(new Set(['deadMansSwitch']));
});
