import type { EventLog } from '@maker/chain/venues';
import type { Hash } from 'viem';

/** A place between two transactions of the chain: right before the transaction with this index. */
export interface Moment {
  readonly blockNumber: number;
  readonly transactionIndex: number;
}

/** An event with its place on the chain. */
export interface PlacedEvent extends EventLog, Moment {
  readonly logIndex: number;
  readonly transactionHash: Hash;
}

/** Blocks before an order's own whose ends the executor may have quoted: more between quote and signature make it read again (design § 4a). */
const QUOTED_BLOCKS_BEFORE = 2;

/** Negative if the first is earlier. */
export function compareMoments(one: Moment, other: Moment): number {
  return one.blockNumber - other.blockNumber || one.transactionIndex - other.transactionIndex;
}

/** The moments by whose pools an order is judged: right before it, and the ends of the blocks that it may have been quoted at. */
export function momentsOf({ blockNumber, transactionIndex }: Moment): readonly Moment[] {
  const ends = Array.from({ length: QUOTED_BLOCKS_BEFORE }, (_, before) => ({
    blockNumber: blockNumber - before,
    transactionIndex: 0,
  }));
  return [{ blockNumber, transactionIndex }, ...ends];
}
