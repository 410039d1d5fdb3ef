import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** Milliseconds after which the wait ends. */
  timeoutMs: number;
  /** Milliseconds between two checks; default 50. */
  intervalMs?: number;
  /** Ends the wait early, with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats `check` until it returns true. An error of `check` counts as "not yet".
 * @returns whether it returned true in time
 * @throws the signal's reason when aborted
 */
export async function waitUntil(check: () => Promise<boolean>, options: WaitOptions): Promise<boolean> {
  const end = performance.now() + options.timeoutMs;
  for (;;) {
    options.signal?.throwIfAborted();
    if (await check().catch(() => false)) return true;
    if (performance.now() >= end) return false;
    await delay(options.intervalMs ?? 50);
  }
}
