const RUNS = Number(process.env.CHAOS_RUNS ?? 20);

/** With this many runs the kill matrix is complete: every fail point, before and after it. */
const RUNS_OF_WHOLE_MATRIX = 200;

const count = (runs: number): readonly number[] => Array.from({ length: runs }, (_, index) => index + 1);

/** Runs with deaths while services send money: of `CHAOS_RUNS`, 20 by default, the third with the most fail points. */
export const SENDING_RUNS = count(Math.ceil(RUNS * 0.37));

/** Runs with deaths while services detect payments. */
export const DETECTING_RUNS = count(Math.ceil(RUNS * 0.3));

/** Runs with deaths while webhook-sender notifies endpoints. */
export const NOTIFYING_RUNS = count(Math.ceil(RUNS * 0.08));

/** Runs with kills at random moments. */
export const RANDOM_RUNS = count(RUNS - SENDING_RUNS.length - DETECTING_RUNS.length - NOTIFYING_RUNS.length);

/** Whether the runs are enough to reach every fail point. */
export const IS_WHOLE = RUNS >= RUNS_OF_WHOLE_MATRIX;

/** Time limit of one run with its restarts and the start of a stack, ms. */
export const RUN_TIMEOUT_MS = 420_000;
