/** A round takes over a minute, so there is one per twenty of `CHAOS_RUNS`. */
const RUNS_OF_A_ROUND = 20;

const runs = Number(process.env.CHAOS_RUNS ?? RUNS_OF_A_ROUND);

/** Numbers of the rounds of contention and of network faults. */
export const ROUNDS: readonly number[] = Array.from(
  { length: Math.ceil(runs / RUNS_OF_A_ROUND) },
  (_, index) => index + 1,
);
