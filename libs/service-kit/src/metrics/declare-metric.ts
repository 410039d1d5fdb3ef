import { TraceFlags } from '@opentelemetry/api';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { currentSpan } from '../request-context.ts';
import { MetricsRegistry } from './metrics-registry.ts';

/** All allowed values of each label of a metric. */
export type LabelValues = Readonly<Record<string, readonly string[]>>;

/** One value for each label. */
export type LabelSet<Labels extends LabelValues> = { readonly [Label in keyof Labels]: Labels[Label][number] };

/** Replaces a label's value that is not in its list. */
export const OTHER = 'other';

/** Creates one metric under the name of its declaration. */
export type MetricKind<Metric> = (registry: Registry, name: string) => Metric;

/**
 * Declares metrics in a registry by name: `maker_<subsystem>_<what>_<unit>`, with `_total` for counters.
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

/** The label values that a metric was declared with; undefined for metrics of libraries, such as Node's own. */
export function labelValuesOf(metric: object): LabelValues | undefined {
  return declared.get(metric);
}

/** The value if it is in the list, else {@link OTHER}. For values from outside, such as an HTTP method. */
export function oneOf(values: readonly string[], value: string): string {
  return values.includes(value) ? value : OTHER;
}

/**
 * A counter with closed lists of label values, so that requests from outside cannot create new series.
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
 * Counts one series of a counter in a plain number, which each scrape adds to the counter. For events so frequent that
 * the lookup of their labels costs noticeable time.
 * @returns a function to call for each event
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

/** A histogram. Each of its buckets keeps the trace of its last observation, if there is one. */
export interface DeclaredHistogram<Label extends string = never> {
  /** @param value in the unit of the name */
  observe(labels: Readonly<Partial<Record<Label, string>>>, value: number): void;
  /** For a histogram of seconds. @returns a function to call at the end of the measured work */
  startTimer(labels: Readonly<Partial<Record<Label, string>>>): () => void;
}

/**
 * A histogram, see {@link counter}. In a {@link MetricsRegistry}, an observation within an exported span has its trace as an
 * exemplar. An exemplar is not part of a series, so its label needs no closed list.
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
      // prom-client's types declare an exemplar's labels as those of the series.
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

/** The current trace, if it is exported. */
function currentTrace(): { trace_id?: string } {
  const place = currentSpan()?.spanContext();
  return place && (place.traceFlags & TraceFlags.SAMPLED) !== 0 ? { trace_id: place.traceId } : {};
}

/** Records the label values of a metric that was created in another way. */
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
