/** Time a visitor has to pay, in ms. Source: specification § 9. */
export const PAYMENT_TIMEOUT_MS = 15 * 60 * 1000;

/** Time for which an address stays watched after its job's end, in ms. Source: design § 4 'Amounts'. */
export const WATCH_AFTER_END_MS = 24 * 60 * 60 * 1000;

/** Largest unproven difference of a reported block time from the chain's time, ms: it bounds the shift of a plan. Source: docs/adr/0118. */
export const NEAR_BLOCK_TIME_MS = 60_000;

/**
 * Whether a payment in a block with this timestamp is in time: the block's clock decides, never a server's.
 * Source: design § 4 'Deadline'. @param blockTimestampMs ms @param deadlineMs ms
 */
export function isInTime(blockTimestampMs: number, deadlineMs: number): boolean {
  return blockTimestampMs <= deadlineMs;
}
