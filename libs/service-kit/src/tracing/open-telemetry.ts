import { hostname } from 'node:os';
import { propagation, trace } from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
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
export async function registerOpenTelemetry(
  service: string,
  configuration: TracingConfiguration,
  logger: Logger,
): Promise<() => Promise<void>> {
  complainTo(logger);
  const named = resourceFromAttributes({ 'service.name': service, 'service.instance.id': hostname() });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(configuration),
    spanProcessors: [new BatchSpanProcessor({ exporter: await exporterOf(configuration) })],
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

function exporterOf({ OTEL_EXPORTER_OTLP_PROTOCOL }: TracingConfiguration): Promise<SpanExporter> {
  return OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http').then(({ OTLPTraceExporter }) => new OTLPTraceExporter())
    : import('@opentelemetry/exporter-trace-otlp-proto').then(({ OTLPTraceExporter }) => new OTLPTraceExporter());
}

function samplerOf(configuration: TracingConfiguration): Sampler {
  const { OTEL_TRACES_SAMPLER: name = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: ratio = 1 } = configuration;
  const root = rootSampler(name.replace('parentbased_', ''), ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

function complainTo(logger: Logger): void {
  let quietUntil = 0;
  setGlobalErrorHandler((error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + COMPLAINT_PAUSE_MS;
    logger.warn({ reason: typeof error === 'string' ? error : error.message }, 'span export failed');
  });
}
