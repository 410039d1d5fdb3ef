import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { type Inhibition, inhibitions, isPage } from './causes.ts';
import { type AlertmanagerServer, startAlertmanager } from './pages/alertmanager-server.ts';
import { alerts } from './rule-files.ts';

const WAITS = { cause: '1s', symptom: '15s', another: '3s', note: '1s', deadMansSwitch: '1s' };
/** A symptom fires first; its cause still fires in time. */
const CAUSE_COMES_AFTER_MS = 2000;

const { inhibitions: causes, symptoms } = inhibitions();
const nameOf = ({ alert, labels = {} }: Inhibition) => [alert, ...Object.values(labels)].join(' ');
const namespaceOf = (cause: Inhibition) => nameOf(cause).replaceAll(' ', '-');
// Checked once: with a longer evaluation than a symptom's wait, the symptom would notify first. For budgets, the page counts.
const SEVERITIES = new Map(
  alerts()
    .toReversed()
    .map(({ alert = '', labels }) => [alert, labels?.severity ?? '']),
);
const severityOf = (name: string) => SEVERITIES.get(name) ?? '';

/** Pages when all symptoms fire, with only those causes that have a cause themselves. */
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
  // All symptoms wait equally long, so when these are sent, all others have been sent too.
  await fire(symptoms.map((alert) => ({ alert, namespace: 'alone' })));
  const rootPages = () => Promise.resolve(pagedIn('alone'));
  await until('the last pages', rootPages, (paged) => paged.length >= ROOTS.length);
});

afterAll(() => alertmanager?.stop());

/** Alerts that paged, in a namespace. */
const pagedIn = (namespace: string): string[] =>
  alertmanager.notifications
    .filter(({ receiver }) => receiver === 'page')
    .flatMap(({ alerts: sent }) => sent.map(({ labels }) => labels))
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
  const pages = () => Promise.resolve(pagedIn(namespace));
  await fire([missing('site')]);
  await until('the first page', pages, (paged) => paged.length > 0);
  await fire([missing('api-gateway')]);
  // The page of both names both.
  expect(await until('the second page', pages, (paged) => paged.length >= 3)).toHaveLength(3);
});

it('the dead man’s switch is sent and pages no one', () => {
  const beats = alertmanager.notifications.filter(({ alerts: list }) =>
    list.some(({ labels }) => labels.alertname === 'MakerAlertingWorks'),
  );
  expect(new Set(beats.map(({ receiver }) => receiver))).toEqual(new Set(['deadMansSwitch']));
});
