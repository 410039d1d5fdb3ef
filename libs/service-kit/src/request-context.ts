import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<{ readonly requestId: string }>();

/** Header of HTTP and NATS that carries the request id. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Id of the request being served, for log lines and onward calls; undefined in background work. */
export function currentRequestId(): string | undefined {
  return requests.getStore()?.requestId;
}

/** Runs a function, and all that it awaits, under a request id. */
export function runWithRequestId<Result>(requestId: string | undefined, run: () => Result): Result {
  return requestId === undefined ? run() : requests.run({ requestId }, run);
}
