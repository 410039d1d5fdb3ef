import { Counter, Gauge, type Registry } from 'prom-client';
import { withinTime } from '../within-time.ts';
import { counter, type MetricKind, remember } from './declare-metric.ts';

const FAILED_READINGS = 'maker_service_failed_readings_total';

/** Time limit of one reading, ms: a scrape must not wait for a database that does not answer. */
const READING_TIMEOUT_MS = 3000;

/**
 * A gauge whose value each scrape reads from its source, such as the database. If the read fails, the scrape omits the gauge
 * and counts the failure in `maker_service_failed_readings_total`. So all other metrics stay visible while the database is down.
 * @param read returns undefined while there is no value
 */
export function reading(help: string, read: () => Promise<number | undefined>): MetricKind<void> {
  return readAtScrape(help, read, (gauge, value) => {
    if (value === undefined) gauge.remove();
    else gauge.set(value);
  });
}

/** Values by one label, see {@link reading}; a value of the list that is missing in the reading is 0. */
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
 * Shares one reading among several gauges or scrapers.
 * @param maxAgeMs age up to which a reading is reused, ms
 * @param now a clock that only goes forward, ms
 */
export function sharedReading<Value>(
  read: () => Promise<Value>,
  now: () => number = () => performance.now(),
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
