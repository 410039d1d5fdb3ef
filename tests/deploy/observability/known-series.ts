import { expect } from 'vitest';
import { EXPORTERS } from '../../../tools/dashboards/exporters.ts';
import { type CatalogueEntry, catalogue, seriesNames } from './catalogue.ts';
import { partsOf, valuesOf } from './promql.ts';
import { INSTALLED, recordings } from './rule-files.ts';

/** Labels that Prometheus sets instead of the service; `le` is of histograms. */
const ADDED_LABELS = ['namespace', 'job', 'instance', 'le'];

/** Labels of the series of firing alerts. */
const ALERT_LABELS = ['alertname', 'severity', 'component'];

const bySeries = new Map<string, CatalogueEntry>(
  catalogue().flatMap((entry) => seriesNames(entry).map((name) => [name, entry] as const)),
);
const recorded = new Map([
  ...recordings().map(({ record, labels = {} }) => [record, Object.keys(labels)] as const),
  [INSTALLED, ['component']] as const,
]);
const exported = new Map(EXPORTERS.flatMap(({ series }) => Object.entries(series)));

/**
 * Fails for a bucket bound with only one spelling: Prometheus 2 keeps 10, Prometheus 3 writes 10.0. An expression that subtracts a missing
 * bucket has no value, so its alert never fires.
 */
function expectBoundsOfBothSpellings(expression: string): void {
  for (const { label, operator, value } of partsOf(expression).matchers) {
    if (label !== 'le') continue;
    const finds = (bound: string) => (operator === '=' ? value === bound : new RegExp(`^(?:${value})$`).test(bound));
    for (const [whole] of value.matchAll(/\b\d+\b(?![.\]])/g)) {
      if (finds(whole)) expect(finds(`${whole}.0`), `le="${whole}.0" in ${expression}`).toBe(true);
    }
  }
}

/** Fails unless all parts of an expression exist: series, labels, and values of labels. */
export function expectKnownSeries(expression: string): void {
  expectBoundsOfBothSpellings(expression);
  const { names, matchers, grouping } = partsOf(expression);
  const ours = names.filter((name) => name !== 'ALERTS');
  for (const name of ours)
    expect(bySeries.has(name) || recorded.has(name) || exported.has(name), `${name} exists in ${expression}`).toBe(
      true,
    );
  for (const { name, label, operator, value } of matchers) {
    const entry = bySeries.get(name);
    const ofExporter = exported.get(name);
    if (ofExporter && !ADDED_LABELS.includes(label)) expect(ofExporter, `label of ${name}`).toContain(label);
    if (!entry || ADDED_LABELS.includes(label)) continue;
    expect(Object.keys(entry.labels), `label of ${name}`).toContain(label);
    const allowed = entry.labels[label];
    // Statuses such as 5.. are patterns over the list.
    for (const wanted of valuesOf({ operator, value }) ?? []) {
      expect(
        allowed?.some((one) => new RegExp(`^(?:${wanted})$`).test(one)),
        `${label}="${wanted}" of ${name}`,
      ).toBe(true);
    }
  }
  const available = new Set([
    ...ADDED_LABELS,
    ...(names.includes('ALERTS') ? ALERT_LABELS : []),
    ...ours.flatMap((name) => [
      ...Object.keys(bySeries.get(name)?.labels ?? {}),
      ...(exported.get(name) ?? []),
      ...(recorded.get(name) ?? []),
    ]),
  ]);
  for (const label of grouping) expect([...available], `grouping of ${expression}`).toContain(label);
}
