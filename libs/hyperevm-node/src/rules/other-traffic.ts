import type { Candidate } from './inclusion-order.ts';
import type { Traffic } from './switches.ts';

/** How many others there are; each sends one transaction a block at most. */
export const OTHER_SENDERS = 8;
/** So little gas that one of their transactions is worth sending. */
const LEAST_GAS = 30_000n;

/** A transaction of somebody else, which uses all of its gas. */
export interface OtherTransaction extends Candidate {
  /** Which of the others sends it, from 0 on. */
  sender: number;
  gas: bigint;
}

/**
 * What others send for one block. They do not wait: what finds no room is not sent again, and nobody comes while the base
 * fee is above what they pay. They come last, so that in the order of arrival whoever waited already goes before them.
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
