import { type Inhibition, type Inhibitions, inhibitions } from './causes.ts';

/** Where each kind of news goes, as receivers of Alertmanager without their names. */
export interface Receivers {
  readonly page: object;
  readonly note: object;
  readonly deadMansSwitch: object;
}

/** How long Alertmanager waits before it tells of something. */
export interface Waits {
  readonly cause: string;
  readonly symptom: string;
  readonly another: string;
  readonly note: string;
  readonly deadMansSwitch: string;
}

const WAITS: Waits = {
  /** A cause is told soon; what something else may explain waits until that had time to show. */
  cause: '30s',
  symptom: '2m',
  /** For the API that goes missing after the site: Prometheus speaks of the last one for a quarter of an hour after its end. */
  another: '1m',
  /** Notes are read, not heard. */
  note: '5m',
  deadMansSwitch: '1m',
};

/** A whole configuration of Alertmanager, for one who runs it without the Prometheus operator. */
export function alertmanagerConfiguration(receivers: Receivers, waits: Waits = WAITS): object {
  const graph: Inhibitions = inhibitions();
  const pages = 'severity="page"';
  const page = { receiver: 'page', group_by: ['namespace', 'alertname'], group_interval: '5m', repeat_interval: '1h' };
  return {
    route: {
      receiver: 'note',
      group_by: ['namespace', 'alertname'],
      group_wait: waits.note,
      group_interval: '10m',
      repeat_interval: '24h',
      routes: [
        {
          matchers: ['alertname="MakerAlertingWorks"'],
          receiver: 'deadMansSwitch',
          group_wait: '0s',
          group_interval: waits.deadMansSwitch,
          repeat_interval: waits.deadMansSwitch,
        },
        { matchers: [pages, `alertname=~"${graph.symptoms.join('|')}"`], ...page, group_wait: waits.symptom },
        {
          matchers: [pages, 'alertname="MakerSiteDown"'],
          ...page,
          group_wait: waits.cause,
          group_interval: waits.another,
        },
        { matchers: [pages], ...page, group_wait: waits.cause },
      ],
    },
    inhibit_rules: graph.inhibitions.map(inhibitRule),
    receivers: Object.entries(receivers).map(([name, receiver]) => ({ name, ...receiver })),
  };
}

function inhibitRule({ alert, labels = {}, targets }: Inhibition): object {
  const source = { alertname: alert, ...labels };
  return {
    source_matchers: Object.entries(source).map(([label, value]) => `${label}="${value}"`),
    target_matchers: [`alertname=~"${targets.join('|')}"`],
    equal: ['namespace'],
  };
}
