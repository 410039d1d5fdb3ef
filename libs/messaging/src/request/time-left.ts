import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestFailure } from './request-failure.ts';

/** Header of a request: the time that the caller still waits, ms. A duration instead of a time of day, because clocks differ. */
export const TIME_LEFT_HEADER = 'x-time-left-ms';

const ends = new AsyncLocalStorage<number>();

/** Runs work within the caller's time limit. @param text of {@link TIME_LEFT_HEADER}; without it there is no limit */
export function whileWaited<Result>(text: string | undefined, work: () => Result): Result {
  const leftMs = Number(text);
  return text && Number.isFinite(leftMs) ? ends.run(performance.now() + leftMs, work) : work();
}

/** Time that the caller of the current work still waits, ms; undefined without a limit. */
export function timeLeft(): number | undefined {
  const end = ends.getStore();
  return end === undefined ? undefined : end - performance.now();
}

/** Call it just before an irreversible step. @throws RequestFailure if the caller no longer waits */
export function assertBeforeDeadline(): void {
  const left = timeLeft();
  if (left !== undefined && left <= 0) throw new RequestFailure('SERVICE_TIMEOUT', 'The caller no longer waits');
}
