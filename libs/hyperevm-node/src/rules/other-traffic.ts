import type { Candidate } from './inclusion-order.ts';
import type { Traffic } from './switches.ts';

/** Number of other users; each sends at most one transaction per block. */
export const OTHER_SENDERS = 8;
/** Least gas of one of their transactions. */
const LEAST_GAS = 30_000n;

/** A transaction of another user, which uses all of its gas. */
export interface OtherTransaction extends Candidate {
  /** Index of its sender, from 0. */
  sender: number;
  gas: bigint;
}

/**
 * The other users' transactions for one block. They do not wait: they are not sent again if they find no room, nor sent while
 * the base fee is above their maximum. They arrive last, so in the order of arrival waiting transactions precede them.
 */
export function otherTransactions(
  traffic: Traffic | null,
  block: { baseFeeWei: bigint; gasLimit: bigint },
): OtherTransaction[] {
  if (!traffic || block.baseFeeWei > traffic.mostBaseFeeWei) return [];
  const wanted = BigInt(Math.floor(Number(block.gasLimit) * traffic.share));
  const count = Math.min(OTHER_SENDERS, Number(wanted / LEAST_GAS));
  return Array.from({ length: count }, (_, sender) => ({
    sender,
    gas: wanted / BigInt(count),
    maxFeePerGasWei: block.baseFeeWei + traffic.tipWei,
    maxTipWei: traffic.tipWei,
    arrival: Number.MAX_SAFE_INTEGER,
  }));
}
