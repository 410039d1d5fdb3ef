import { EventMetrics, NatsMetrics } from '@maker/messaging';
import { declareLeaseMetrics, MongoMetrics } from '@maker/persistence';
import { declareServiceMetrics, labelValuesOf, MetricsRegistry, SystemClock } from '@maker/service-kit';
import { createConnection } from 'mongoose';
import { GatewayMetrics } from '../../../apps/api-gateway/src/gateway.metrics.ts';
import { JobMetrics } from '../../../apps/job/src/job.metrics.ts';
import { DatabaseGauges } from '../../../apps/maker-executor/src/gauges/database-gauges.ts';
import { MakerMetrics } from '../../../apps/maker-executor/src/metrics/maker.metrics.ts';
import { CanaryMetrics } from '../../../apps/ops/src/canary/canary.metrics.ts';
import { PaymentWatcherMetrics } from '../../../apps/payment-watcher/src/payment-watcher.metrics.ts';
import { ValidationMetrics } from '../../../apps/token-validation/src/validation.metrics.ts';
import { WebhookMetrics } from '../../../apps/webhook-sender/src/webhook.metrics.ts';

/** One metric of a service. */
export interface CatalogueEntry {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Closed list of values by label; undefined for Node's own metrics, whose values Node decides. */
  readonly labels: Readonly<Record<string, readonly string[] | undefined>>;
  /** Services with the metric. */
  readonly services: readonly string[];
}

/** Declared but not read here: its figures come from databases, which the catalogue does not need. */
const unread = <Source>() => ({}) as Source;

const events = (registry: MetricsRegistry) =>
  new EventMetrics(registry, unread<ConstructorParameters<typeof EventMetrics>[1]>());

const clock = new SystemClock();

/** The metrics that each service declares at its start, by the same classes. */
const DECLARATIONS: Readonly<Record<string, (registry: MetricsRegistry) => void>> = {
  'api-gateway': (registry) => {
    new GatewayMetrics(registry);
    new MongoMetrics(registry);
  },
  'token-validation': (registry) => {
    new ValidationMetrics(registry);
    declareDatabase(registry);
  },
  job: (registry) => {
    new JobMetrics(registry, clock, unread(), unread(), createConnection());
    declareDatabase(registry);
    events(registry);
  },
  'payment-watcher': (registry) => {
    new PaymentWatcherMetrics(registry, unread(), clock);
    declareDatabase(registry);
    events(registry);
  },
  'maker-executor': (registry) => {
    new DatabaseGauges(registry, unread(), new MakerMetrics(registry), clock);
    declareDatabase(registry);
    events(registry);
  },
  receipts: declareDatabase,
  'webhook-sender': (registry) => {
    new WebhookMetrics(registry).read(unread());
    declareDatabase(registry);
    events(registry);
  },
};

/** Metrics of programs that are no services: the site processes no message, and the canary exits after its result. */
const PROGRAMS: Readonly<Record<string, (registry: MetricsRegistry) => void>> = {
  site: (registry) => {
    declareServiceMetrics(registry, 'site');
  },
  canary: (registry) => {
    new CanaryMetrics(registry);
  },
};

function declareDatabase(registry: MetricsRegistry): void {
  new MongoMetrics(registry);
  declareLeaseMetrics(registry);
}

/** Names of the services. */
export const SERVICES = Object.keys(DECLARATIONS);

/** Every metric of every service and program, by name. */
export function catalogue(): CatalogueEntry[] {
  const entries = new Map<string, CatalogueEntry>();
  for (const [service, declare] of Object.entries({ ...DECLARATIONS, ...PROGRAMS })) {
    const registry = new MetricsRegistry();
    if (service in DECLARATIONS) {
      declareServiceMetrics(registry, service);
      new NatsMetrics(registry);
    }
    declare(registry);
    for (const metric of registry.getMetricsAsArray()) {
      const { name, help, type } = metric as unknown as { name: string; help: string; type: string };
      const known = entries.get(name);
      const services = [...(known?.services ?? []), service];
      entries.set(name, { name, type: String(type), help, labels: labelsOf(metric), services });
    }
  }
  return [...entries.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function labelsOf(metric: object): CatalogueEntry['labels'] {
  const closed = labelValuesOf(metric);
  if (closed) return closed;
  const { labelNames = [] } = metric as { labelNames?: readonly string[] };
  return Object.fromEntries(labelNames.map((label) => [label, undefined]));
}

/** Names of a metric in Prometheus. */
export function seriesNames({ name, type }: CatalogueEntry): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name];
}
