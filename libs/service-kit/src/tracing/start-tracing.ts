import type { Logger } from 'pino';
import type { TracingConfiguration } from './tracing-environment.ts';

let stop: (() => Promise<void>) | undefined;

/** Semaphore tracing on where an endpoint is configured. OpenTelemetry's SDK is loaded only then; its API alone does nothing. */
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

/** Exports what is left and turns tracing off. */
export async function stopTracing(): Promise<void> {
  await stop?.();
  stop = undefined;
}
