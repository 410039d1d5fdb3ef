import { isSystemAddress } from '@maker/rules';
import type { Transfer } from './scan-events.ts';
import type { WireTransaction } from './wire-block.ts';

/** HYPE that a transaction moves to its recipient, if it succeeds; undefined where it moves none to another. */
export function transferIn(transaction: WireTransaction): Transfer | undefined {
  const { hash, from, to, value } = transaction;
  if (!to || to === from || BigInt(value) === 0n) return undefined;
  return { transactionHash: hash, from: isSystem(transaction) ? null : from, to, amountWei: BigInt(value) };
}

/**
 * Nodes may show system transactions among a block's own, where they look like plain transfers. They are told by their sender
 * and by their price: everybody else pays the base fee at least. Source: hyperevm § 1.2.
 */
function isSystem({ from, gasPrice }: WireTransaction): boolean {
  return isSystemAddress(from) || (gasPrice !== undefined && BigInt(gasPrice) === 0n);
}
