import type { Address } from 'viem';

/** Nonces of one wallet that are reserved and in no block, and the highest that is in one. */
export interface WalletNonces {
  readonly sender: Address;
  readonly unconfirmed: readonly number[];
  /** Undefined before the first transaction was mined. */
  readonly highestUsed: number | undefined;
  readonly oldestSignedAt: Date;
}

/**
 * Nonces that nobody holds below one that is reserved: the chain waits for them for ever, and with it every later
 * transaction of the wallet. Source: design § 5.
 */
export function missingNonces({ unconfirmed, highestUsed }: Pick<WalletNonces, 'unconfirmed' | 'highestUsed'>): number {
  const next = highestUsed === undefined ? 0 : highestUsed + 1;
  const ahead = new Set(unconfirmed.filter((nonce) => nonce >= next));
  if (ahead.size === 0) return 0;
  return Math.max(...ahead) - next + 1 - ahead.size;
}
