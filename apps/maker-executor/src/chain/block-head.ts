import type { Hash } from 'viem';

/** A block as the maker sees it. */
export interface BlockHead {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** The block's timestamp, ms. */
  readonly timestampMs: number;
  /** Wei per gas. */
  readonly baseFeeWei: bigint;
  readonly transactionHashes: ReadonlySet<Hash>;
}
