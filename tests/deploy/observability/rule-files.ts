import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

/** The checkout. */
export const WORKSPACE = join(import.meta.dirname, '../../..');

/** Folder of the rule files that the chart embeds. */
export const RULES_DIRECTORY = join(WORKSPACE, 'charts/hyperevm-maker-bot/rules');

/** A rule as Prometheus reads it. */
export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Paths of all rule files. */
export function ruleFiles(): string[] {
  return globSync(join(RULES_DIRECTORY, '*.yaml')).sort();
}

/** A rule with the name of its file. */
type FiledRule = Rule & { readonly file: string };

/** Every rule. Parsed once: a hundred tests ask. */
export function rules(): readonly FiledRule[] {
  parsed ??= ruleFiles().flatMap((path) => {
    const { groups } = parse(readFileSync(path, 'utf8')) as { groups: { rules: Rule[] }[] };
    return groups.flatMap(({ rules: ofGroup }) => ofGroup.map((rule) => ({ ...rule, file: basename(path) })));
  });
  return parsed;
}
let parsed: readonly FiledRule[] | undefined;

/** Every alert. */
export function alerts(): (FiledRule & { readonly alert: string })[] {
  return rules().filter((rule): rule is FiledRule & { alert: string } => rule.alert !== undefined);
}

/** Every recording. */
export function recordings(): (Pick<Rule, 'expr' | 'labels'> & { readonly record: string })[] {
  return rules().flatMap(({ record, expr, labels = {} }) => (record === undefined ? [] : [{ record, expr, labels }]));
}

/** The chart records it for each enabled component (`templates/monitoring/prometheusrules.yaml`). */
export const INSTALLED = 'maker_component_installed';

/** The chart's recordings of installed components, for tests without the chart. */
export function installedRules(namespace: string, components: readonly string[]): object[] {
  return components.map((component) => ({ record: INSTALLED, expr: 'vector(1)', labels: { namespace, component } }));
}
