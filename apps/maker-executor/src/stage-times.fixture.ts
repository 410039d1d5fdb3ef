/** Blocks four times as fast as HyperEVM's, because jobs mostly wait for blocks. */
export const FAST_BLOCKS = { clock: { blockMs: 250, gainedSeconds: 0 } };
/** The same, with five chain seconds in each real second, for tests that wait for the chain's clock. */
export const FAST_CLOCK = { clock: { blockMs: 250, gainedSeconds: 1 } };

/** Longest time of a test's job, even on a busy machine, ms. */
export const RUN_MS = 240_000;

/** Waits for a few blocks, and for a whole job. The interval is the time of a block, because each poll costs work. */
export const SOON = { timeout: 30_000, interval: 250 };
export const EVENTUALLY = { timeout: RUN_MS, interval: 250 };

/** A pace so slow that a test can observe each order separately. */
export const SLOW = { windowSeconds: 1_000_000, MAKER_RECONCILE_SECONDS: '1' };
