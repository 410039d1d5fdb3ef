/** Small blocks come every second, big ones every minute; both are numbered in one sequence. Source: hyperevm § 1. */
export type BlockKind = 'small' | 'big';

/** Gas of a block of each kind. Source: hyperevm §§ 1, 1.3. */
export const BLOCK_GAS: Readonly<Record<BlockKind, bigint>> = { small: 3_000_000n, big: 30_000_000n };

/** What kind a block is, as its gas limit tells. */
export function kindOfBlock(gasLimit: bigint): BlockKind {
  return gasLimit > BLOCK_GAS.small ? 'big' : 'small';
}

/**
 * Whether a big block is due right after a small one: the first in each value of `time % interval` has one.
 * @param parentSeconds timestamp of the block before the small one
 * @param intervalSeconds seconds between big blocks; 0 is none
 */
export function isBigBlockDue(parentSeconds: number, seconds: number, intervalSeconds: number): boolean {
  if (intervalSeconds === 0) return false;
  return Math.floor(parentSeconds / intervalSeconds) < Math.floor(seconds / intervalSeconds);
}

/**
 * Timestamp of the next small block: the clock's time, and always later than the block before, so that a chain whose
 * blocks come faster than its seconds runs ahead of the clock.
 */
export function nextTimestamp(parentSeconds: number, secondsPerBlock: number, clockSeconds: number): number {
  return Math.max(parentSeconds + secondsPerBlock, clockSeconds);
}
