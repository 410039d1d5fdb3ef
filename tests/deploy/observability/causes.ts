import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { alerts, WORKSPACE } from './rule-files.ts';

const CAUSES_FILE = join(WORKSPACE, 'charts/hyperevm-maker-bot/alerting/causes.yaml');

/** An alert, with the labels by which it is this cause. */
interface Source {
  readonly alert: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** One edge list of the cause graph. */
interface Cause extends Source {
  readonly because: string;
  readonly explains: readonly string[];
}

/** While this alert fires, `targets` are not told. */
export interface Inhibition extends Source {
  readonly targets: readonly string[];
}

/** What is made of the graph. */
export interface Inhibitions {
  readonly inhibitions: readonly Inhibition[];
  /** Alerts that something else may explain: they wait for it to show before they are told. */
  readonly symptoms: readonly string[];
}

interface CauseFile {
  readonly causes: readonly Cause[];
  readonly everyPageExplains: readonly string[];
}

/** The cause graph as it is written. */
export function causeFile(): CauseFile {
  return parse(readFileSync(CAUSES_FILE, 'utf8')) as CauseFile;
}

/** Whether an alert wakes somebody, in one of its rules at least. */
export function isPage(name: string): boolean {
  return alerts().some(({ alert, labels }) => alert === name && labels?.severity === 'page');
}

/**
 * The graph with every way through it: a cause explains what its effects explain, which may not fire themselves.
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
