/** Blocks four times as fast as HyperEVM's: most of what a job does waits for them. */
export const FAST_BLOCKS = { clock: { blockMs: 250, gainedSeconds: 0 } };
/** The same, and five seconds of the chain in each of ours: for what waits for its clock, such as attempts and slow schedules. */
export const FAST_CLOCK = { clock: { blockMs: 250, gainedSeconds: 1 } };

/** No job of a test takes longer, however busy the machine, ms: what takes longer hangs. */
export const RUN_MS = 240_000;

/** Waits of a test: for what takes a few blocks, and for what takes a whole job. Little changes between two blocks, and each look is work. */
export const SOON = { timeout: 30_000, interval: 250 };
export const EVENTUALLY = { timeout: RUN_MS, interval: 250 };

/** So slow that a test sees each order by itself. */
export const SLOW = { windowSeconds: 1_000_000, MAKER_RECONCILE_SECONDS: '1' };
