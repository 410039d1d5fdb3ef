import {
  type Attributes,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { currentRequestId, currentSpan, runInSpan, runWithRequestId } from '../request-context.ts';

/** Header of HTTP and NATS that carries the trace. Source: W3C Trace Context. */
export const TRACEPARENT_HEADER = 'traceparent';

/**
 * What led to work that is done later, kept with the record that the work is about: the id of the request, and the
 * place in its trace.
 */
export interface Origin {
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** The origin of what is recorded now; without fields in background work. */
export function currentOrigin(): Origin {
  const requestId = currentRequestId();
  const span = currentSpan();
  const carried: { traceparent?: string } = {};
  if (span) propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carried);
  const { traceparent } = carried;
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
}

/** How work is traced. */
export interface Traced {
  /** Which side of a conversation it is; 'INTERNAL' by default. */
  readonly kind?: keyof typeof SpanKind;
  /** Never a key, a seed, an API key or signed bytes. */
  readonly attributes?: Attributes;
  /** `traceparent` that another process sent along with what is worked on. */
  readonly parent?: string | undefined;
  /** For work of its own, done long after what led to it: a new trace, linked to the old one. */
  readonly origin?: Origin | undefined;
}

/**
 * Begins a span: a part of its parent, else of the current span, else of a new trace where there is an origin.
 * @returns undefined where tracing is off, or where there is nothing that it would be part of
 */
export function beginSpan(name: string, { kind = 'INTERNAL', attributes, parent, origin }: Traced): Span | undefined {
  const whole = placeIn(parent) ?? currentSpan()?.spanContext();
  if (!whole && !origin) return undefined;
  const requestId = currentRequestId() ?? origin?.requestId;
  const linked = whole ? undefined : placeIn(origin?.traceparent);
  const span = startSpan(whole, name, {
    kind: SpanKind[kind],
    attributes: { ...attributes, ...(requestId !== undefined && { 'maker.request.id': requestId }) },
    links: linked ? [{ context: linked }] : [],
  });
  return isSpanContextValid(span.spanContext()) ? span : undefined;
}

/** Ends a span. @param error what the work failed with, or a name for it; only the name is kept, since messages may quote what was sent */
export function endSpan(span: Span | undefined, error?: unknown): void {
  if (error !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', nameOf(error));
  span?.end();
}

/**
 * Runs work as a span, under the request id of its origin. Where there is no span it just runs.
 * @throws what the work threw, of which the span keeps the name
 */
export async function inSpan<Result>(
  name: string,
  traced: Traced,
  run: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const span = beginSpan(name, traced);
  const requestId = currentRequestId() ?? traced.origin?.requestId;
  try {
    const result = await runWithRequestId(requestId, () => runInSpan(span, () => run(span)));
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
}

/** Adds a question to another system that was answered just now to the current trace, if there is one. @param ms time it took */
export function recordCall(name: string, ms: number, attributes: Attributes): void {
  const whole = currentSpan()?.spanContext();
  if (whole) startSpan(whole, name, { kind: SpanKind.CLIENT, attributes, startTime: Date.now() - ms }).end();
}

function startSpan(whole: SpanContext | undefined, name: string, options: SpanOptions): Span {
  const context = whole ? trace.setSpanContext(ROOT_CONTEXT, whole) : ROOT_CONTEXT;
  return trace.getTracer('maker').startSpan(name, options, context);
}

/** @returns undefined for anything that is no `traceparent`, which callers may send, and for all while tracing is off */
function placeIn(traceparent: string | undefined): SpanContext | undefined {
  return trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
}

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
