import { isSystemAddress } from '@maker/rules';
import type { Transfer } from './scan-events.ts';
import type { WireTransaction } from './wire-block.ts';

/** HYPE that a transaction moves to its recipient, if it succeeds; undefined where it moves none to another address. */
export function transferIn(transaction: WireTransaction): Transfer | undefined {
  const { hash, from, to, value } = transaction;
  if (!to || to === from || BigInt(value) === 0n) return undefined;
  return { transactionHash: hash, from: isSystem(transaction) ? null : from, to, amountWei: BigInt(value) };
}

/**
 * Whether it is a system transaction. Nodes may list these among a block's own transactions, in the form of plain transfers. Their
 * sender and their price identify them: all other transactions pay at least the base fee. Source: hyperevm § 1.2.
 */
function isSystem({ from, gasPrice }: WireTransaction): boolean {
  return isSystemAddress(from) || (gasPrice !== undefined && BigInt(gasPrice) === 0n);
}
