import type { Address } from 'viem';

/** A wallet's reserved nonces that are in no block, and the highest nonce that is in one. */
export interface WalletNonces {
  readonly sender: Address;
  readonly unconfirmed: readonly number[];
  /** Undefined before its first mined transaction. */
  readonly highestUsed: number | undefined;
  readonly oldestSignedAt: Date;
}

/**
 * Counts the nonces below a reserved one that no transaction holds. The chain waits for them for ever, so it blocks every later
 * transaction of the wallet. Source: design § 5.
 */
export function missingNonces({ unconfirmed, highestUsed }: Pick<WalletNonces, 'unconfirmed' | 'highestUsed'>): number {
  const next = highestUsed === undefined ? 0 : highestUsed + 1;
  const ahead = new Set(unconfirmed.filter((nonce) => nonce >= next));
  if (ahead.size === 0) return 0;
  return Math.max(...ahead) - next + 1 - ahead.size;
}
