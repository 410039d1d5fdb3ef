import type { Job } from './api-types.ts';
import { MakerError } from './maker-error.ts';

export interface WatchOptions {
  /** Time between two reads, ms. @default 2000 */
  readonly everyMs?: number;
  /** Ends the watch with its reason. */
  readonly signal?: AbortSignal;
}

const FINAL: readonly Job['status'][] = [
  'completed',
  'failed_liquidity',
  'failed_technical',
  'cancelled',
  'payment_expired',
];

const EVERY_MS = 2000;
/** Consecutive failed reads after which a watch gives up, about three minutes. */
const MOST_FAILURES = 10;
const LONGEST_PAUSE_MS = 30_000;

/** Whether a job has ended. */
export const isEnded = ({ status }: Pick<Job, 'status'>): boolean => FINAL.includes(status);

/**
 * Reads a job until its end, and yields each state that differs from the one before. Waits as long as `Retry-After` says, or
 * longer after each failure.
 * @throws MakerError that is permanent, or the tenth in a row
 */
export async function* watchJob(
  read: () => Promise<Job>,
  { everyMs = EVERY_MS, signal }: WatchOptions = {},
): AsyncGenerator<Job, void, undefined> {
  let given: string | undefined;
  let failures = 0;
  for (;;) {
    const job = await read().catch((error: unknown) => {
      failures += 1;
      if (!(error instanceof MakerError) || !error.isTemporary || failures >= MOST_FAILURES) throw error;
      return error;
    });
    if (job instanceof MakerError) {
      await pause(job.retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** failures), signal);
      continue;
    }
    failures = 0;
    const state = JSON.stringify(job);
    if (state !== given) yield job;
    given = state;
    if (isEnded(job)) return;
    await pause(everyMs, signal);
  }
}

/** @throws the reason of the signal */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
