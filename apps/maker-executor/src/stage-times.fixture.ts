/** Blocks four times as fast as HyperEVM's, and five chain seconds in each real second: jobs wait for both. */
export const FAST_CLOCK = { clock: { blockMs: 250, gainedSeconds: 1 } };

/** Longest time of a test's job, even on a busy machine, ms. */
export const RUN_MS = 240_000;

/** Waits for a few blocks, and for a whole job. The interval is the time of a block, because each poll costs work. */
export const SOON = { timeout: 30_000, interval: 250 };
export const EVENTUALLY = { timeout: RUN_MS, interval: 250 };

/** A pace so slow that a test can observe each order separately. */
export const SLOW = { windowSeconds: 1_000_000, MAKER_RECONCILE_SECONDS: '1' };
