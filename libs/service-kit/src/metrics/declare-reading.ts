import { Counter, Gauge, type Registry } from 'prom-client';
import { withinTime } from '../within-time.ts';
import { declareCounter, remember } from './declare-metric.ts';

const FAILED_READINGS = 'maker_service_failed_readings_total';

/** Longest wait for one reading: a scrape must not wait for a database that does not answer, ms. */
const READING_TIMEOUT_MS = 3000;

/** A number that is read where it is kept, such as the database, each time that it is asked for. */
export interface ReadingDeclaration {
  readonly name: string;
  readonly help: string;
  /** Undefined while there is no such number. */
  readonly read: () => Promise<number | undefined>;
}

/** Numbers by one label; a value of the list that the reading leaves out is 0. */
export interface ReadingsDeclaration<Value extends string> {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: readonly Value[];
  readonly read: () => Promise<ReadonlyMap<Value, number>>;
}

/**
 * Declares a gauge that is read at each scrape. One that cannot be read is left out of the scrape and counted in
 * `maker_service_failed_readings_total`: everything else must still be seen while the database is down.
 */
export function declareReading(registry: Registry, { name, help, read }: ReadingDeclaration): void {
  const failed = failedReadings(registry);
  const gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await withinTime(READING_TIMEOUT_MS, read, 'reading').catch(() => void failed.inc());
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
  remember(gauge, {});
}

/** Declares a gauge with one label; see {@link declareReading}. */
export function declareReadings<Value extends string>(
  registry: Registry,
  { name, help, label, values, read }: ReadingsDeclaration<Value>,
): void {
  const failed = failedReadings(registry);
  const gauge = new Gauge({
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
  remember(gauge, { labels: { [label]: values } });
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
  return declareCounter(registry, {
    name: FAILED_READINGS,
    help: 'Figures that could not be read at a scrape, such as counts while the database is down.',
  });
}
