import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { alerts, WORKSPACE } from './rule-files.ts';

const CAUSES_FILE = join(WORKSPACE, 'charts/hyperevm-maker-bot/alerting/causes.yaml');

/** An alert with the labels that make it this cause. */
interface Source {
  readonly alert: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Edges of the cause graph from one cause. */
interface Cause extends Source {
  readonly because: string;
  readonly explains: readonly string[];
}

/** While this alert fires, Alertmanager does not notify of `targets`. */
export interface Inhibition extends Source {
  readonly targets: readonly string[];
}

/** Inhibitions from the graph. */
export interface Inhibitions {
  readonly inhibitions: readonly Inhibition[];
  /** Alerts that a cause may explain: Alertmanager waits for the cause before it notifies. */
  readonly symptoms: readonly string[];
}

interface CauseFile {
  readonly causes: readonly Cause[];
  readonly everyPageExplains: readonly string[];
}

/** The written cause graph. */
export function causeFile(): CauseFile {
  return parse(readFileSync(CAUSES_FILE, 'utf8')) as CauseFile;
}

/** Whether an alert pages in at least one of its rules. */
export function isPage(name: string): boolean {
  return alerts().some(({ alert, labels }) => alert === name && labels?.severity === 'page');
}

/**
 * The graph with all paths: a cause also explains the effects of its effects, which may not fire.
 * @throws Error naming an alert that explains itself
 */
export function inhibitions(
  { causes, everyPageExplains }: CauseFile = causeFile(),
  pages: (alert: string) => boolean = isPage,
): Inhibitions {
  const effectsOf = (alert: string): string[] =>
    causes.filter((cause) => cause.alert === alert).flatMap(({ explains }) => explains);
  const reach = (from: readonly string[], path: readonly string[]): string[] =>
    from.flatMap((alert) => {
      if (path.includes(alert)) throw new Error(`${alert} explains itself: ${[...path, alert].join(' → ')}`);
      return [alert, ...reach(effectsOf(alert), [...path, alert])];
    });
  const list = causes.map(({ alert, labels, explains }) => ({
    alert,
    ...(labels ? { labels } : {}),
    targets: [...new Set([...reach(explains, [alert]), ...(pages(alert) ? everyPageExplains : [])])].sort(),
  }));
  return { inhibitions: list, symptoms: [...new Set(list.flatMap(({ targets }) => targets))].sort() };
}
