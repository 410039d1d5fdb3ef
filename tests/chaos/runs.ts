const RUNS = Number(process.env.CHAOS_RUNS ?? 20);

/** So many runs make the kill matrix whole: every fail point, before and after it. */
const RUNS_OF_WHOLE_MATRIX = 200;

const count = (runs: number): readonly number[] => Array.from({ length: runs }, (_, index) => index + 1);

/** Numbers of the runs with deaths while money is sent: of `CHAOS_RUNS`, 20 by default, the third with the most fail points. */
export const SENDING_RUNS = count(Math.ceil(RUNS * 0.37));

/** Numbers of the runs with deaths while money is detected. */
export const DETECTING_RUNS = count(Math.ceil(RUNS * 0.3));

/** Numbers of the runs with deaths while endpoints are told of it. */
export const TELLING_RUNS = count(Math.ceil(RUNS * 0.08));

/** Numbers of the runs with kills at random moments. */
export const RANDOM_RUNS = count(RUNS - SENDING_RUNS.length - DETECTING_RUNS.length - TELLING_RUNS.length);

/** Whether there are enough runs to reach every fail point. */
export const IS_WHOLE = RUNS >= RUNS_OF_WHOLE_MATRIX;

/** Longest time for one run, its restarts and the start of a stack, ms. */
export const RUN_TIMEOUT_MS = 420_000;
