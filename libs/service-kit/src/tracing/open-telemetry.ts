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

/** How long the end of a process waits for a receiver that does not answer. */
const STOP_WITHIN_MS = 3000;
/** A receiver that is down is one fact, not a line for each batch. */
const COMPLAINT_PAUSE_MS = 60_000;

/**
 * Puts OpenTelemetry's SDK behind its API for this process. Spans are told their parents by us, so none of its loaders,
 * context managers and automatic instrumentations is needed.
 * @returns what takes it away again and exports what is left
 */
export function registerOpenTelemetry(
  service: string,
  { OTEL_TRACES_SAMPLER_ARG: share = 1 }: TracingConfiguration,
  logger: Logger,
): () => Promise<void> {
  complainTo(logger);
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

function complainTo(logger: Logger): void {
  let quietUntil = 0;
  setGlobalErrorHandler((error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + COMPLAINT_PAUSE_MS;
    logger.warn({ reason: typeof error === 'string' ? error : error.message }, 'span export failed');
  });
}
