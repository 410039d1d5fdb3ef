import type { Logger } from 'pino';
import { useTracer } from './tracing.ts';
import type { TracingConfiguration } from './tracing-environment.ts';

/** Turns tracing on where an endpoint is configured. OpenTelemetry is loaded only then. */
export async function startTracing(
  service: string,
  configuration: TracingConfiguration,
  logger: Logger,
): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = configuration;
  if (endpoint === undefined) return;
  const { openTelemetryTracer } = await import('./open-telemetry.ts');
  useTracer(await openTelemetryTracer(service, configuration, logger));
  logger.info({ receiver: new URL(endpoint).host }, 'traces are exported');
}
