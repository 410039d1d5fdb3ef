import type { Address, Hash } from 'viem';

/** The facts about a block that identify it in a chain. */
export interface BlockPointer {
  readonly number: number;
  readonly hash: Hash;
  /** Timestamp of the header, ms. */
  readonly timestampMs: number;
}

/** A successful transaction that pays a watched address directly. */
export interface Transfer {
  readonly transactionHash: Hash;
  /** Null for a system transaction, which has no sender: it credits HYPE from HyperCore. */
  readonly from: Address | null;
  readonly to: Address;
  readonly amountWei: bigint;
}

/**
 * A transaction whose calldata contains a watched address. It may have paid the address inside a contract, which only
 * the balance can show.
 */
export interface Mention {
  readonly transactionHash: Hash;
  readonly address: Address;
}

/** The next block of the chain, with the transactions of watched addresses. Addresses are in lower case. */
export interface ScannedBlock {
  readonly kind: 'block';
  readonly block: BlockPointer;
  readonly transfers: readonly Transfer[];
  readonly mentions: readonly Mention[];
  /** Watched addresses that sent a transaction in this block. */
  readonly senders: readonly Address[];
  /** Transfers without a valid signature or a receipt: in `mentions`, not in `transfers`, so that the balance is read. Absent if none. */
  readonly unproven?: readonly Transfer[];
  /** The highest block that is known to exist. */
  readonly headNumber: number;
}

/** Blocks above the common ancestor are no longer part of the chain; the scan continues above it. */
export interface ScannedReorg {
  readonly kind: 'reorg';
  readonly commonAncestor: BlockPointer;
}

/** The node no longer has these blocks (both ends included); the scan continues above them. */
export interface ScannedGap {
  readonly kind: 'gap';
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** Every event that a scan yields. */
export type ScanEvent = ScannedBlock | ScannedReorg | ScannedGap;
