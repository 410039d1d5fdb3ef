import { currentRequestId, currentSpan, runInSpan, runWithRequestId } from '../request-context.ts';
import type { Span, SpanAttributes, SpanKind, Tracer } from '../tracer.ts';

let tracer: Tracer | undefined;

/** Turns tracing on for this process, or off. */
export function useTracer(chosen: Tracer | undefined): void {
  tracer = chosen;
}

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
  const traceparent = currentSpan()?.traceparent;
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
}

/** How work is traced. */
export interface Traced {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** `traceparent` that another process sent along with what is worked on. */
  readonly parent?: string | undefined;
  /** For work of its own, done long after what led to it: a new trace, linked to the old one. */
  readonly origin?: Origin | undefined;
}

/**
 * Begins a span: a part of its parent, else of the current span, else of a new trace where there is an origin.
 * @returns undefined where tracing is off, or where there is nothing that it would be part of
 */
export function beginSpan(
  name: string,
  { kind = 'internal', attributes = {}, parent, origin }: Traced,
): Span | undefined {
  const whole = parent ?? currentSpan();
  if (!tracer || (!whole && !origin)) return undefined;
  const requestId = currentRequestId() ?? origin?.requestId;
  return tracer.start(name, {
    kind,
    attributes: { ...attributes, ...(requestId !== undefined && { 'maker.request.id': requestId }) },
    parent: whole,
    link: whole ? undefined : origin?.traceparent,
  });
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
    span?.end();
    return result;
  } catch (error) {
    span?.end(error);
    throw error;
  }
}

/** Adds a question to another system that was answered just now to the current trace, if there is one. @param ms time it took */
export function recordCall(name: string, ms: number, attributes: SpanAttributes): void {
  const parent = currentSpan();
  if (!tracer || !parent) return;
  tracer.start(name, { kind: 'client', attributes, parent, startedAtMs: Date.now() - ms }).end();
}

/** Exports what is left and turns tracing off. */
export async function stopTracing(): Promise<void> {
  const stopped = tracer;
  tracer = undefined;
  await stopped?.stop();
}
