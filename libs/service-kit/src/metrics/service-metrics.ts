import { collectDefaultMetrics, type Registry } from 'prom-client';
import { declareMetrics, gauge } from './declare-metric.ts';

/**
 * Pause between two measurements of the event loop, ms. Each measurement includes it; the alert MakerEventLoopBlocked and the Services
 * board subtract it. prom-client's 10 ms cost an idle process 0.7 % of a core.
 */
const EVENT_LOOP_MEASURED_EVERY_MS = 200;

/** Names of the services. */
const COMPONENTS = [
  'site',
  'api-gateway',
  'token-validation',
  'job',
  'payment-watcher',
  'maker-executor',
  'receipts',
  'webhook-sender',
] as const;

/** Declares the metrics of every service: its presence by name, and Node's own metrics. */
export function declareServiceMetrics(registry: Registry, service: string): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_MEASURED_EVERY_MS });
  // Not 'service': Prometheus in Kubernetes overwrites a label of that name with its own.
  const { maker_service_up } = declareMetrics(registry, {
    maker_service_up: gauge('Always 1, with the name of the service.', { component: COMPONENTS }),
  });
  maker_service_up.set({ component: service }, 1);
}
