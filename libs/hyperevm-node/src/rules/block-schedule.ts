/** Small blocks come every second, big ones every minute. Both share one sequence of numbers. Source: hyperevm § 1. */
export type BlockKind = 'small' | 'big';

/** Gas limit of a block of each kind. Source: hyperevm §§ 1, 1.3. */
export const BLOCK_GAS: Readonly<Record<BlockKind, bigint>> = { small: 3_000_000n, big: 30_000_000n };

/** A block's kind, by its gas limit. */
export function kindOfBlock(gasLimit: bigint): BlockKind {
  return gasLimit > BLOCK_GAS.small ? 'big' : 'small';
}

/**
 * Whether a big block is due right after a small one: it follows the first small block of each interval.
 * @param parentSeconds timestamp of the block before the small one
 * @param intervalSeconds seconds between big blocks; 0 disables them
 */
export function isBigBlockDue(parentSeconds: number, seconds: number, intervalSeconds: number): boolean {
  if (intervalSeconds === 0) return false;
  return Math.floor(parentSeconds / intervalSeconds) < Math.floor(seconds / intervalSeconds);
}

/**
 * Timestamp of the next small block: the clock's time, but always later than the previous block. So a chain whose blocks
 * come faster than its seconds runs ahead of the clock.
 */
export function nextTimestamp(parentSeconds: number, secondsPerBlock: number, clockSeconds: number): number {
  return Math.max(parentSeconds + secondsPerBlock, clockSeconds);
}
