import { setTimeout as wait } from 'node:timers/promises';

/** Time limit and polling interval of a wait, ms. */
export interface Patience {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/**
 * Waits for a condition, and checks it every `everyMs`.
 * @returns the first value that satisfies it
 * @throws with the last value after the time limit
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
