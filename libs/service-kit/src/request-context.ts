import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** On whose behalf work is done: the request that began it, and the span that it is part of while tracing is on. */
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

/** The span that work is part of; undefined outside of a trace. */
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

/** Runs work of its own that someone's request happened to wake: it belongs to no request. */
export function runForNobody<Result>(run: () => Result): Result {
  return contexts.run({}, run);
}
