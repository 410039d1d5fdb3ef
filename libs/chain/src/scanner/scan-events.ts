import type { Address, Hash } from 'viem';

/** A block as far as a chain of blocks needs it. */
export interface BlockPointer {
  readonly number: number;
  readonly hash: Hash;
  /** From the header, ms. */
  readonly timestampMs: number;
}

/** A successful transaction that pays a watched address directly. */
export interface Transfer {
  readonly transactionHash: Hash;
  /** Null for a system transaction, which nobody sent: the chain credits HYPE from HyperCore by it. */
  readonly from: Address | null;
  readonly to: Address;
  readonly amountWei: bigint;
}

/**
 * A transaction whose calldata holds a watched address: it may have moved money there inside a contract, which only a
 * look at the balance can tell.
 */
export interface Mention {
  readonly transactionHash: Hash;
  readonly address: Address;
}

/** The next block of the chain, with all that concerns the watched addresses. Addresses are in lower case. */
export interface ScannedBlock {
  readonly kind: 'block';
  readonly block: BlockPointer;
  readonly transfers: readonly Transfer[];
  readonly mentions: readonly Mention[];
  /** Watched addresses that sent a transaction in this block. */
  readonly senders: readonly Address[];
  /** Transfers that no signature proves, or no receipt shows: not among the others, and mentioned, so that the balance is read. Absent where none are. */
  readonly unproven?: readonly Transfer[];
  /** The newest block that is known to exist. */
  readonly headNumber: number;
}

/** Blocks above the common ancestor are no longer part of the chain; scanning goes on above it. */
export interface ScannedReorg {
  readonly kind: 'reorg';
  readonly commonAncestor: BlockPointer;
}

/** The node no longer has these blocks (both ends included); scanning goes on above them. */
export interface ScannedGap {
  readonly kind: 'gap';
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** All that a scan yields. */
export type ScanEvent = ScannedBlock | ScannedReorg | ScannedGap;
