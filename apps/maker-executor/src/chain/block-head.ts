import type { Hash } from 'viem';

/** A block as the maker sees it. */
export interface BlockHead {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** The block's timestamp, ms. */
  readonly timestampMs: number;
  /** Wei per gas of small blocks, which ours are for: not that of a big one's header. */
  readonly baseFeeWei: bigint;
  readonly transactionHashes: ReadonlySet<Hash>;
}
