import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestFailure } from './request-failure.ts';

/** Header of a request: how long the one who asks still waits, ms. A time left and no time of day, since clocks differ. */
export const TIME_LEFT_HEADER = 'x-time-left-ms';

const ends = new AsyncLocalStorage<number>();

/** Runs work for somebody who waits so long. @param text of {@link TIME_LEFT_HEADER}; without one, for ever */
export function whileWaited<Result>(text: string | undefined, work: () => Result): Result {
  const leftMs = Number(text);
  return text && Number.isFinite(leftMs) ? ends.run(performance.now() + leftMs, work) : work();
}

/** How long the one for whom work is done still waits, ms. */
export function timeLeft(): number | undefined {
  const end = ends.getStore();
  return end === undefined ? undefined : end - performance.now();
}

/** For the last moment before something is made that cannot be taken back. @throws RequestFailure where nobody waits any more */
export function assertBeforeDeadline(): void {
  const left = timeLeft();
  if (left !== undefined && left <= 0) throw new RequestFailure('SERVICE_TIMEOUT', 'Whoever asked for it has given up');
}
