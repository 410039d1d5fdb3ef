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

/** How one metric is made, which has the name that it is declared by. */
export type MetricKind<Metric> = (registry: Registry, name: string) => Metric;

/**
 * Declares metrics in a registry, each by its name: `maker_<subsystem>_<what>_<unit>`, and `_total` for counters.
 * @returns the metrics by the same names
 */
export function declareMetrics<const Kinds extends Readonly<Record<`maker_${string}`, MetricKind<unknown>>>>(
  registry: Registry,
  kinds: Kinds,
): { readonly [Name in keyof Kinds]: Kinds[Name] extends MetricKind<infer Metric> ? Metric : never } {
  const made = Object.entries<MetricKind<unknown>>(kinds).map(([name, make]) => [name, make(registry, name)]);
  return Object.fromEntries(made);
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

/**
 * A counter with closed lists of label values, so that nobody outside can make new series.
 * @param help a sentence for the catalogue, with the unit
 * @param initial the series that exist from the start: all combinations by default. A series that first appears with its
 * first event hides that event from `increase()`
 */
export function counter<const Labels extends LabelValues = Record<never, never>>(
  help: string,
  labels?: Labels,
  initial = allSeries(labels),
): MetricKind<Counter<keyof Labels & string>> {
  return (registry, name) => {
    const made = new Counter(configuration(registry, name, help, labels));
    for (const series of initial) made.inc(series, 0);
    return remember(made, labels);
  };
}

/**
 * Counts one series of a counter in a plain number, which joins the counter whenever that is read: for what is counted so
 * often that looking up its labels each time is felt.
 * @returns to be called for each one
 */
export function tallyOf<Label extends string>(
  counted: Counter<Label>,
  series: Readonly<Record<Label, string>>,
): () => void {
  const read: { collect?: () => void } = counted as object;
  const before = read.collect;
  let waiting = 0;
  read.collect = () => {
    before?.();
    counted.inc(series, waiting);
    waiting = 0;
  };
  return () => {
    waiting += 1;
  };
}

/** A gauge, see {@link counter}; one with labels has no series before it is set. */
export function gauge<const Labels extends LabelValues = Record<never, never>>(
  help: string,
  labels?: Labels,
): MetricKind<Gauge<keyof Labels & string>> {
  return (registry, name) => remember(new Gauge(configuration(registry, name, help, labels)), labels);
}

/** A histogram of which each bucket remembers the trace, where there is one, of what fell into it last. */
export interface DeclaredHistogram<Label extends string = never> {
  /** @param value in the unit of the name */
  observe(labels: Readonly<Partial<Record<Label, string>>>, value: number): void;
  /** For a histogram of seconds. @returns to be called at the end of what takes the time */
  startTimer(labels: Readonly<Partial<Record<Label, string>>>): () => void;
}

/**
 * A histogram, see {@link counter}. What is observed within a span that is exported has its trace as an exemplar, in a {@link MetricsRegistry}: an
 * exemplar is part of no series, so that its label needs no closed list.
 * @param buckets upper bounds, in the unit of the name
 */
export function histogram<const Labels extends LabelValues = Record<never, never>>(
  help: string,
  buckets: readonly number[],
  labels?: Labels,
  initial = allSeries(labels),
): MetricKind<DeclaredHistogram<keyof Labels & string>> {
  return (registry, name) => {
    const enableExemplars = registry instanceof MetricsRegistry;
    const made = new Histogram({
      ...configuration(registry, name, help, labels),
      buckets: [...buckets],
      enableExemplars,
    });
    for (const series of initial) made.zero(series);
    remember(made, labels);
    const observe: DeclaredHistogram<keyof Labels & string>['observe'] = (series, value) => {
      // prom-client's types take an exemplar's label for one of the series'.
      if (enableExemplars) made.observe({ labels: series, value, exemplarLabels: currentTrace() as typeof series });
      else made.observe(series, value);
    };
    return {
      observe,
      startTimer(series) {
        const begunMs = performance.now();
        return () => observe(series, (performance.now() - begunMs) / 1000);
      },
    };
  };
}

/** The trace that work is part of now, where it is exported. */
function currentTrace(): { trace_id?: string } {
  const place = currentSpan()?.spanContext();
  return place && (place.traceFlags & TraceFlags.SAMPLED) !== 0 ? { trace_id: place.traceId } : {};
}

/** Notes the closed lists of a metric that was made in another way. */
export function remember<Metric extends object>(metric: Metric, labels: LabelValues = {}): Metric {
  declared.set(metric, labels);
  return metric;
}

function configuration<Labels extends LabelValues>(registry: Registry, name: string, help: string, labels?: Labels) {
  return { name, help, labelNames: Object.keys(labels ?? {}) as (keyof Labels & string)[], registers: [registry] };
}

function allSeries<Labels extends LabelValues>(labels: Labels | undefined): readonly LabelSet<Labels>[] {
  let sets: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels ?? {})) {
    sets = sets.flatMap((set) => values.map((value) => ({ ...set, [label]: value })));
  }
  return sets as LabelSet<Labels>[];
}
