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

/** Every rule, with the name of its file. */
export function rules(): (Rule & { readonly file: string })[] {
  return ruleFiles().flatMap((path) => {
    const { groups } = parse(readFileSync(path, 'utf8')) as { groups: { rules: Rule[] }[] };
    return groups.flatMap(({ rules: ofGroup }) => ofGroup.map((rule) => ({ ...rule, file: basename(path) })));
  });
}

/** Every alert. */
export function alerts(): (Rule & { readonly alert: string; readonly file: string })[] {
  return rules().filter(
    (rule): rule is ReturnType<typeof rules>[number] & { alert: string } => rule.alert !== undefined,
  );
}

/** Every recording. */
export function recordings(): (Pick<Rule, 'expr' | 'labels'> & { readonly record: string })[] {
  return rules().flatMap(({ record, expr, labels = {} }) => (record === undefined ? [] : [{ record, expr, labels }]));
}
