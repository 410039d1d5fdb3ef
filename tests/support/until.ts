import { setTimeout as wait } from 'node:timers/promises';

/** How long a condition is waited for, and how often it is looked at, ms. */
export interface Patience {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/**
 * Waits for a condition, asking again every `everyMs`.
 * @returns the first value that satisfies it
 * @throws with the last value seen when the time is over
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value>,
  satisfied: (value: Value) => boolean,
  { timeoutMs = 60_000, everyMs = 250 }: Patience = {},
): Promise<Value> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await ask();
    if (satisfied(value)) return value;
    if (Date.now() > end) {
      const seen = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part));
      throw new Error(`${what} did not come within ${timeoutMs} ms; last seen: ${seen}`);
    }
    await wait(everyMs);
  }
}
