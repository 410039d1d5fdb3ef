import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** Milliseconds after which the wait is given up. */
  timeoutMs: number;
  /** Milliseconds between two looks; 50 unless told. */
  intervalMs?: number;
  /** Ends the wait early, with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Looks again and again until `check` answers true. An error of `check` counts as "not yet".
 * @returns whether it came true in time
 * @throws the signal's reason when aborted
 */
export async function waitUntil(check: () => Promise<boolean>, options: WaitOptions): Promise<boolean> {
  const end = Date.now() + options.timeoutMs;
  for (;;) {
    options.signal?.throwIfAborted();
    if (await check().catch(() => false)) return true;
    if (Date.now() >= end) return false;
    await delay(options.intervalMs ?? 50);
  }
}
