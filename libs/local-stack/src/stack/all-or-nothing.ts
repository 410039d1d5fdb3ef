/** A start that has not begun. */
export type Start = (signal: AbortSignal) => Promise<void>;

/**
 * Begins all starts at once. When one fails the others are given up, and all have come to an end before this returns,
 * so that what was started is known and can be stopped.
 * @param outer gives all of them up
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
