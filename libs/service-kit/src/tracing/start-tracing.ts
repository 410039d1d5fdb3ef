import type { Logger } from 'pino';
import type { TracingConfiguration } from './tracing-environment.ts';

let stop: (() => Promise<void>) | undefined;

/** Turns tracing on if an endpoint is configured. Loads OpenTelemetry's SDK only then: its API alone does nothing. */
export async function startTracing(
  service: string,
  configuration: TracingConfiguration,
  logger: Logger,
): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = configuration;
  if (endpoint === undefined) return;
  const { registerOpenTelemetry } = await import('./open-telemetry.ts');
  stop = registerOpenTelemetry(service, configuration, logger);
  logger.info({ receiver: new URL(endpoint).host }, 'trace export started');
}

/** Exports the remaining spans and turns tracing off. */
export async function stopTracing(): Promise<void> {
  await stop?.();
  stop = undefined;
}
