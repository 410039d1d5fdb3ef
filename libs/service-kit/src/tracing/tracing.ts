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
 * The cause of work that is done later, stored with the record that the work is about: the id of the request, and its
 * place in the trace.
 */
export interface Origin {
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** The origin for a record written now; empty in background work. */
export function currentOrigin(): Origin {
  const requestId = currentRequestId();
  const span = currentSpan();
  const carried: { traceparent?: string } = {};
  if (span) propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carried);
  const { traceparent } = carried;
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
}

/** Options of a traced piece of work. */
export interface Traced {
  /** Side of the communication, client or server; default 'INTERNAL'. */
  readonly kind?: keyof typeof SpanKind;
  /** Never a key, a seed, an API key or signed bytes. */
  readonly attributes?: Attributes;
  /** `traceparent` that another process sent with the work. */
  readonly parent?: string | undefined;
  /** For separate work long after its cause: a new trace, linked to the old one. */
  readonly origin?: Origin | undefined;
}

/**
 * Begins a span: in its parent, else in the current span, else in a new trace if there is an origin.
 * @returns undefined while tracing is off, or without parent and origin
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

/** Ends a span. @param error of the failed work, or its name; the span keeps only the name, since a message may quote sent data */
export function endSpan(span: Span | undefined, error?: unknown): void {
  if (error !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', nameOf(error));
  span?.end();
}

/**
 * Runs work in a span, under the request id of its origin; without tracing, just runs it.
 * @throws the error of the work; the span keeps its name
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

/** Adds a finished request to another system to the current trace, if there is one. @param ms time it took */
export function recordCall(name: string, ms: number, attributes: Attributes): void {
  const whole = currentSpan()?.spanContext();
  if (whole) startSpan(whole, name, { kind: SpanKind.CLIENT, attributes, startTime: Date.now() - ms }).end();
}

function startSpan(whole: SpanContext | undefined, name: string, options: SpanOptions): Span {
  const context = whole ? trace.setSpanContext(ROOT_CONTEXT, whole) : ROOT_CONTEXT;
  return trace.getTracer('maker').startSpan(name, options, context);
}

/** @returns undefined for an invalid `traceparent`, which a caller may send, and always while tracing is off */
function placeIn(traceparent: string | undefined): SpanContext | undefined {
  return trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
}

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
