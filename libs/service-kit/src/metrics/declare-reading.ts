import { Counter, Gauge, type Registry } from 'prom-client';
import { withinTime } from '../within-time.ts';
import { counter, type MetricKind, remember } from './declare-metric.ts';

const FAILED_READINGS = 'maker_service_failed_readings_total';

/** Longest wait for one reading: a scrape must not wait for a database that does not answer, ms. */
const READING_TIMEOUT_MS = 3000;

/**
 * A gauge that is read where its number is kept, such as the database, at each scrape. One that cannot be read is left out
 * of the scrape and counted in `maker_service_failed_readings_total`: everything else must still be seen while the database
 * is down.
 * @param read undefined while there is no such number
 */
export function reading(help: string, read: () => Promise<number | undefined>): MetricKind<void> {
  return readAtScrape(help, read, (gauge, value) => {
    if (value === undefined) gauge.remove();
    else gauge.set(value);
  });
}

/** Numbers by one label, see {@link reading}; a value of the list that the reading leaves out is 0. */
export function readings<Value extends string>(
  help: string,
  label: string,
  values: readonly Value[],
  read: () => Promise<ReadonlyMap<Value, number>>,
): MetricKind<void> {
  const show = (gauge: Gauge, numbers: ReadonlyMap<Value, number> | undefined) => {
    gauge.reset();
    if (!numbers) return;
    for (const value of values) gauge.set({ [label]: value }, numbers.get(value) ?? 0);
  };
  return readAtScrape(help, read, show, { [label]: values });
}

function readAtScrape<Value>(
  help: string,
  read: () => Promise<Value | undefined>,
  show: (gauge: Gauge, value: Value | undefined) => void,
  labels: Readonly<Record<string, readonly string[]>> = {},
): MetricKind<void> {
  return (registry, name) => {
    const failed = failedReadings(registry);
    const made = new Gauge({
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [registry],
      async collect() {
        show(this, await withinTime(READING_TIMEOUT_MS, read, 'reading').catch(() => void failed.inc()));
      },
    });
    remember(made, labels);
  };
}

/**
 * Makes several gauges, or several scrapers, share one reading.
 * @param maxAgeMs how long a reading is served again, ms
 * @param now ms
 */
export function sharedReading<Value>(
  read: () => Promise<Value>,
  now: () => number,
  maxAgeMs = 5000,
): () => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let readAtMs = 0;
  return () => {
    if (latest && now() - readAtMs < maxAgeMs) return latest;
    readAtMs = now();
    const reading = read();
    latest = reading;
    reading.catch(() => {
      if (latest === reading) latest = undefined;
    });
    return reading;
  };
}

function failedReadings(registry: Registry): Counter {
  const existing = registry.getSingleMetric(FAILED_READINGS);
  if (existing instanceof Counter) return existing;
  const help = 'Figures that could not be read at a scrape, such as counts while the database is down.';
  return counter(help)(registry, FAILED_READINGS);
}
