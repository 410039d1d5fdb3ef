import { effectiveTip } from './transaction.ts';

export interface Candidate {
  maxFeePerGasWei: bigint;
  maxTipWei: bigint;
  arrival: number;
}

/** Order of transactions in a block. HyperEVM's documents say that tips do not matter; its fees of 2026 show that they do. */
export type InclusionOrder = 'tip' | 'arrival';

/**
 * Orders transactions for a block. Each row belongs to one sender and is sorted by nonce: a transaction never precedes its
 * predecessor, and one that does not pay the base fee blocks the rest of its row.
 * @param most maximum number of transactions
 */
export function inclusionOrder<T extends Candidate>(
  rows: readonly (readonly T[])[],
  block: { baseFeeWei: bigint; order: InclusionOrder; most: number },
): T[] {
  const open = rows.map((row) => [...row]);
  const ordered: T[] = [];
  while (ordered.length < block.most) {
    let best: { row: T[]; head: T; tip: bigint } | undefined;
    for (const row of open) {
      const head = row[0];
      if (!head || head.maxFeePerGasWei < block.baseFeeWei) continue;
      const tip = block.order === 'tip' ? effectiveTip(head, block.baseFeeWei) : 0n;
      if (!best || tip > best.tip || (tip === best.tip && head.arrival < best.head.arrival)) best = { row, head, tip };
    }
    if (!best) break;
    ordered.push(best.head);
    best.row.shift();
  }
  return ordered;
}
