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
  return (registry, name) => {
    const failed = failedReadings(registry);
    const made = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await withinTime(READING_TIMEOUT_MS, read, 'reading').catch(() => void failed.inc());
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
    remember(made);
  };
}

/** Numbers by one label, see {@link reading}; a value of the list that the reading leaves out is 0. */
export function readings<Value extends string>(
  help: string,
  label: string,
  values: readonly Value[],
  read: () => Promise<ReadonlyMap<Value, number>>,
): MetricKind<void> {
  return (registry, name) => {
    const failed = failedReadings(registry);
    const made = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const numbers = await withinTime(READING_TIMEOUT_MS, read, 'reading').catch(() => void failed.inc());
        this.reset();
        if (!numbers) return;
        for (const value of values) this.set({ [label]: value }, numbers.get(value) ?? 0);
      },
    });
    remember(made, { [label]: values });
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
