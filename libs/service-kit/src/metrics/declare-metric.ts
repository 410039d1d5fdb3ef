import { TraceFlags } from '@opentelemetry/api';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { currentSpan } from '../request-context.ts';
import { MetricsRegistry } from './metrics-registry.ts';

/** Every value that each label of a metric may have. */
export type LabelValues = Readonly<Record<string, readonly string[]>>;

/** The name of one label and one of its values each. */
export type LabelSet<Labels extends LabelValues> = { readonly [Label in keyof Labels]: Labels[Label][number] };

/** What the value of a label becomes when it is none of its list. */
export const OTHER = 'other';

/** A metric with closed lists of label values, so that nobody outside can make new series. */
export interface MetricDeclaration<Labels extends LabelValues> {
  /** `maker_<subsystem>_<what>_<unit>`, and `_total` for counters. */
  readonly name: string;
  /** A sentence for the catalogue, with the unit. */
  readonly help: string;
  readonly labels?: Labels;
  /**
   * The series that exist from the start: all combinations by default. A series that first appears with its first
   * event hides that event from `increase()`.
   */
  readonly initial?: readonly LabelSet<Labels>[];
}

const declared = new WeakMap<object, LabelValues>();

/** The closed lists that a metric was declared with; undefined for metrics of others, such as Node's own. */
export function labelValuesOf(metric: object): LabelValues | undefined {
  return declared.get(metric);
}

/** The value, if it is one of the list; {@link OTHER} if not. For values that others choose, such as an HTTP method. */
export function oneOf(values: readonly string[], value: string): string {
  return values.includes(value) ? value : OTHER;
}

/** Declares a counter in a registry. */
export function declareCounter<const Labels extends LabelValues = Record<never, never>>(
  registry: Registry,
  declaration: MetricDeclaration<Labels>,
): Counter<keyof Labels & string> {
  const counter = new Counter(options(registry, declaration));
  for (const series of initialSeries(declaration)) counter.inc(series, 0);
  return remember(counter, declaration);
}

/**
 * Counts one series of a counter in a plain number, which joins the counter whenever that is read: for what is counted so
 * often that looking up its labels each time is felt.
 * @returns to be called for each one
 */
export function tallyOf<Label extends string>(
  counter: Counter<Label>,
  series: Readonly<Record<Label, string>>,
): () => void {
  const read: { collect?: () => void } = counter as object;
  const before = read.collect;
  let counted = 0;
  read.collect = () => {
    before?.();
    counter.inc(series, counted);
    counted = 0;
  };
  return () => {
    counted += 1;
  };
}

/** Declares a gauge in a registry; one with labels has no series before it is set. */
export function declareGauge<const Labels extends LabelValues = Record<never, never>>(
  registry: Registry,
  declaration: Omit<MetricDeclaration<Labels>, 'initial'>,
): Gauge<keyof Labels & string> {
  return remember(new Gauge(options(registry, declaration)), declaration);
}

/** A histogram of which each bucket remembers the trace, where there is one, of what fell into it last. */
export interface DeclaredHistogram<Label extends string = never> {
  /** @param value in the unit of the name */
  observe(labels: Readonly<Partial<Record<Label, string>>>, value: number): void;
  /** For a histogram of seconds. @returns to be called at the end of what takes the time */
  startTimer(labels: Readonly<Partial<Record<Label, string>>>): () => void;
}

/**
 * Declares a histogram in a registry. What is observed within a span that is exported has its trace as an exemplar, in a {@link MetricsRegistry}: an
 * exemplar is part of no series, so that its label needs no closed list.
 * @param declaration.buckets upper bounds, in the unit of the name
 */
export function declareHistogram<const Labels extends LabelValues = Record<never, never>>(
  registry: Registry,
  declaration: MetricDeclaration<Labels> & { readonly buckets: readonly number[] },
): DeclaredHistogram<keyof Labels & string> {
  const enableExemplars = registry instanceof MetricsRegistry;
  const buckets = [...declaration.buckets];
  const histogram = new Histogram({ ...options(registry, declaration), buckets, enableExemplars });
  for (const series of initialSeries(declaration)) histogram.zero(series);
  remember(histogram, declaration);
  const observe: DeclaredHistogram<keyof Labels & string>['observe'] = (labels, value) => {
    // prom-client's types take an exemplar's label for one of the series'.
    if (enableExemplars) histogram.observe({ labels, value, exemplarLabels: currentTrace() as typeof labels });
    else histogram.observe(labels, value);
  };
  return {
    observe,
    startTimer(labels) {
      const begunMs = performance.now();
      return () => observe(labels, (performance.now() - begunMs) / 1000);
    },
  };
}

/** The trace that work is part of now, where it is exported. */
function currentTrace(): { trace_id?: string } {
  const place = currentSpan()?.spanContext();
  return place && (place.traceFlags & TraceFlags.SAMPLED) !== 0 ? { trace_id: place.traceId } : {};
}

/** Notes the closed lists of a metric that was made in another way. */
export function remember<Metric extends object>(metric: Metric, { labels }: { readonly labels?: LabelValues }): Metric {
  declared.set(metric, labels ?? {});
  return metric;
}

function options<Labels extends LabelValues>(registry: Registry, declaration: MetricDeclaration<Labels>) {
  const { name, help, labels } = declaration;
  return { name, help, labelNames: Object.keys(labels ?? {}) as (keyof Labels & string)[], registers: [registry] };
}

function initialSeries<Labels extends LabelValues>({
  labels,
  initial,
}: MetricDeclaration<Labels>): readonly LabelSet<Labels>[] {
  if (initial) return initial;
  let sets: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels ?? {})) {
    sets = sets.flatMap((set) => values.map((value) => ({ ...set, [label]: value })));
  }
  return sets as LabelSet<Labels>[];
}
