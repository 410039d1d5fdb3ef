import type { Origin } from '@maker/service-kit';
import type { Address, Hash } from 'viem';

/** An address that is watched for a job. */
export interface Watch {
  /** In lower case. */
  readonly address: Address;
  readonly jobId: string;
  /** The request that created the job. */
  readonly origin?: Origin;
  /** When the job was created, ms. */
  readonly createdAtMs: number;
  readonly deadlineMs: number;
  /** The first block that was scanned for the address; undefined until the scanner has taken the watch over. */
  readonly scannedFromBlock?: number;
  /** Whether the blocks below that were searched for who paid. */
  readonly searchedBack: boolean;
  /** The last reading of the balance that told something, the first among them: its block. */
  readonly balanceReadAtBlock?: number;
  /** Timestamp of that block, ms. */
  readonly balanceReadAtMs?: number;
  /** The first such reading in a block past the deadline: its block. */
  readonly balanceReadPastDeadlineAtBlock?: number;
  /** Transactions since the last reading that named the address in their calldata. */
  readonly mentions: readonly MentionFact[];
  /**
   * The first block in which the address sent something. Its balance falls from there on for reasons that the watcher
   * does not know, so that it explains balances below that block only.
   */
  readonly spendingSinceBlock?: number;
}

/** A transaction that may have moved money to an address inside a contract. */
export interface MentionFact {
  readonly transactionHash: Hash;
  readonly blockNumber: number;
  /** Timestamp of the block, ms. */
  readonly blockAtMs: number;
}
