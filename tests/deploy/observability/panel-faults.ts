import type { Answer } from './board-answers.ts';
import type { DrawnPanel } from './drawn-panels.ts';

/** More lines are indistinguishable. */
const MOST_LINES = 12;

/** Faults of a panel with these answers to its queries. */
export function faultsOf({ type }: Pick<DrawnPanel, 'type'>, answers: readonly (readonly Answer[])[]): string[] {
  const series = answers.flat();
  const values = series.flatMap(({ value, values = value ? [value] : [] }) => values.map(([, text]) => Number(text)));
  const numbers = values.filter((value) => !Number.isNaN(value));
  if (numbers.length === 0) return ['shows no data'];
  if (type === 'timeseries' && series.length > MOST_LINES) return [`has ${series.length} lines`];
  if (type === 'timeseries' && numbers.every((value) => value === 0)) return ['has an axis that is all 0'];
  return [];
}

/** Colour of the worst value of a panel, by its thresholds; `none` without thresholds. */
export function levelOf(
  {
    type,
    fieldConfig,
  }: Pick<DrawnPanel, 'type'> & { readonly fieldConfig: Pick<DrawnPanel['fieldConfig'], 'defaults'> },
  answers: readonly (readonly Answer[])[],
): 'green' | 'orange' | 'red' | 'none' {
  const steps = fieldConfig.defaults.thresholds?.steps;
  if (!steps) return 'none';
  const latest = answers.flat().flatMap(({ value, values = [] }) => {
    const point = value ?? values.at(-1);
    return point && !Number.isNaN(Number(point[1])) ? [Number(point[1])] : [];
  });
  if (latest.length === 0) return type === 'stat' ? 'red' : 'none';
  const order = ['green', 'orange', 'red'] as const;
  const colours = latest.map((value) => steps.findLast((step) => step.value === null || value >= step.value)?.color);
  return order.findLast((colour) => colours.includes(colour)) ?? 'none';
}
