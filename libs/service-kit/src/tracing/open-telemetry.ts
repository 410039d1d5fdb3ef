import { hostname } from 'node:os';
import { propagation, trace } from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TracingConfiguration } from './tracing-environment.ts';

/** How long shutdown waits for a receiver that does not answer. */
const STOP_WITHIN_MS = 3000;
/** Pause between two log lines of failed exports: a receiver that is down is one fact, not one line per batch. */
const LOG_PAUSE_MS = 60_000;

/**
 * Registers OpenTelemetry's SDK for its API in this process. Our code sets each span's parent, so the SDK's loaders, context
 * managers and automatic instrumentations are not needed.
 * @returns a function that unregisters it and exports the remaining spans
 */
export function registerOpenTelemetry(
  service: string,
  { OTEL_TRACES_SAMPLER_ARG: share = 1 }: TracingConfiguration,
  logger: Logger,
): () => Promise<void> {
  logExportErrors(logger);
  const named = resourceFromAttributes({ 'service.name': service, 'service.instance.id': hostname() });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return async () => {
    trace.disable();
    propagation.disable();
    const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref());
    await Promise.race([provider.shutdown(), late]);
  };
}

function logExportErrors(logger: Logger): void {
  let quietUntil = 0;
  setGlobalErrorHandler((error) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + LOG_PAUSE_MS;
    logger.warn({ reason: typeof error === 'string' ? error : error.message }, 'span export failed');
  });
}
