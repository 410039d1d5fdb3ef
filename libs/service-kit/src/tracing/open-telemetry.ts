import { hostname } from 'node:os';
import {
  type Attributes,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
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
import type { SpanStart, Tracer } from '../tracer.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';
import type { TracingConfiguration } from './tracing-environment.ts';

/** How long the end of a process waits for a receiver that does not answer. */
const STOP_WITHIN_MS = 3000;
/** A receiver that is down is one fact, not a line for each batch. */
const COMPLAINT_PAUSE_MS = 60_000;

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/**
 * Tracing by OpenTelemetry's SDK. Spans are told their parents by us, so none of its loaders, context managers and
 * automatic instrumentations is needed.
 */
export async function openTelemetryTracer(
  service: string,
  configuration: TracingConfiguration,
  logger: Logger,
): Promise<Tracer> {
  complainTo(logger);
  const named = resourceFromAttributes({ 'service.name': service, 'service.instance.id': hostname() });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(configuration),
    spanProcessors: [new BatchSpanProcessor({ exporter: await exporterOf(configuration) })],
  });
  const tracer = provider.getTracer('maker');
  return {
    start(name, { kind, attributes, parent, link, startedAtMs }) {
      const parentContext = contextOf(parent);
      const linked = contextOf(link);
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          attributes,
          ...(linked && { links: [{ context: linked }] }),
          ...(startedAtMs !== undefined && { startTime: startedAtMs }),
        },
        parentContext ? trace.setSpanContext(ROOT_CONTEXT, parentContext) : ROOT_CONTEXT,
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceId,
        spanId,
        traceparent: formatTraceparent({ traceId, spanId, sampled: isSampled(traceFlags) }),
        describe: (more) => void span.setAttributes({ ...more } satisfies Attributes),
        rename: (other) => void span.updateName(other),
        end(error) {
          if (error !== undefined) {
            span.setStatus({ code: SpanStatusCode.ERROR });
            span.setAttribute('error.type', nameOf(error));
          }
          span.end();
        },
      };
    },
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref());
      await Promise.race([provider.shutdown(), late]);
    },
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

function contextOf(place: SpanStart['parent']): SpanContext | undefined {
  const isOwn = typeof place === 'object';
  const parsed = parseTraceparent(isOwn ? place.traceparent : place);
  if (!parsed) return undefined;
  const { traceId, spanId, sampled } = parsed;
  return { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: !isOwn };
}

const isSampled = (flags: TraceFlags) => (flags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED;

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

function complainTo(logger: Logger): void {
  let quietUntil = 0;
  setGlobalErrorHandler((error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + COMPLAINT_PAUSE_MS;
    logger.warn({ reason: typeof error === 'string' ? error : error.message }, 'spans could not be exported');
  });
}
