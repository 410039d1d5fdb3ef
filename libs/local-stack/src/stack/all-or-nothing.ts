/** A function that starts one part. */
export type Start = (signal: AbortSignal) => Promise<void>;

/**
 * Runs all starts concurrently. When one fails, aborts the others. Returns only after all have settled, so that the
 * caller knows all started parts and can stop them.
 * @param outer aborts all of them
 * @throws the first failure
 */
export async function allOrNothing(starts: readonly Start[], outer: AbortSignal | undefined): Promise<void> {
  const giveUp = new AbortController();
  const signal = outer ? AbortSignal.any([outer, giveUp.signal]) : giveUp.signal;
  const failures: unknown[] = [];
  await Promise.all(
    starts.map((start) =>
      start(signal).catch((error: unknown) => {
        failures.push(error);
        giveUp.abort();
      }),
    ),
  );
  if (failures.length > 0) throw failures[0];
}
