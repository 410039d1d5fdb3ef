import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** Context of work: the request that started it, and the span that it belongs to while tracing is on. */
interface WorkContext {
  readonly requestId?: string;
  readonly span?: Span;
}

const contexts = new AsyncLocalStorage<WorkContext>();

/** Header of HTTP and NATS that carries the request id. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Id of the request being served, for log lines and onward calls; undefined in background work. */
export function currentRequestId(): string | undefined {
  return contexts.getStore()?.requestId;
}

/** The current span; undefined outside a trace. */
export function currentSpan(): Span | undefined {
  return contexts.getStore()?.span;
}

/** Runs a function, and all that it awaits, under a request id. */
export function runWithRequestId<Result>(requestId: string | undefined, run: () => Result): Result {
  return requestId === undefined ? run() : contexts.run({ ...contexts.getStore(), requestId }, run);
}

/** Runs a function, and all that it awaits, as part of a span. */
export function runInSpan<Result>(span: Span | undefined, run: () => Result): Result {
  return span === undefined ? run() : contexts.run({ ...contexts.getStore(), span }, run);
}

/** Runs background work outside the context of the request that triggered it. */
export function runWithoutRequest<Result>(run: () => Result): Result {
  return contexts.run({}, run);
}
