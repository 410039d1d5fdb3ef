import { type Inhibition, type Inhibitions, inhibitions } from './causes.ts';

/** Receivers of Alertmanager by severity, without their names. */
export interface Receivers {
  readonly page: object;
  readonly note: object;
  readonly deadMansSwitch: object;
}

/** Waiting times of Alertmanager before notifications. */
export interface Waits {
  readonly cause: string;
  readonly symptom: string;
  readonly another: string;
  readonly note: string;
  readonly deadMansSwitch: string;
}

const WAITS: Waits = {
  /** Causes are sent soon; possible symptoms wait until their causes had time to fire. */
  cause: '30s',
  symptom: '2m',
  /** For the API when it fails after the site: Prometheus still reports an alert for 15 minutes after its end. */
  another: '1m',
  /** Tickets notify nobody at night. */
  note: '5m',
  deadMansSwitch: '1m',
};

/** A complete configuration of Alertmanager, for clusters without the Prometheus operator. */
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
