import type { Origin } from '@maker/service-kit';
import type { Address, Hash } from 'viem';

/** An address that is watched for a job. */
export interface Watch {
  /** In lower case. */
  readonly address: Address;
  readonly jobId: string;
  /** The job's token. Rows of earlier releases lack it. */
  readonly tokenAddress?: Address;
  /** The request that created the job. */
  readonly origin?: Origin;
  /** When the job was created, ms. */
  readonly createdAtMs: number;
  readonly deadlineMs: number;
  /** The first block that was scanned for the address; null until the scanner has taken the watch over. */
  readonly scannedFromBlock: number | null;
  /** Whether the blocks below that were searched for who paid. */
  readonly searchedBack: boolean;
  /** The last reading of the balance that told something, the first among them: its block. */
  readonly readAtBlock: number | null;
  /** Timestamp of that block. */
  readonly readAt: Date | null;
  /** The first such reading in a block past the deadline: its block. */
  readonly readPastDeadlineAtBlock: number | null;
  /** Transactions since the last reading that named the address in their calldata. */
  readonly mentions: readonly MentionFact[];
  /**
   * The first block in which the address sent something. Its balance falls from there on for reasons that the watcher
   * does not know, so that it explains balances below that block only.
   */
  readonly spendingSinceBlock: number | null;
  /** How often it was told what is seen at the address. */
  readonly seenRevision: number;
  /** When `payment.deadline_passed` was recorded. */
  readonly deadlinePassedAt: Date | null;
  /** When its balance is polled next, once the deadline has been announced; before that each poll reads it. */
  readonly nextPollAt: Date | null;
  /** Set when the job has ended. */
  readonly watchUntil: Date | null;
  /** No longer watched. */
  readonly closed: boolean;
  /** What was told of assets there that pay for nothing; absent where there are none. */
  readonly finds?: Readonly<Partial<Record<WrongAsset, ToldFind>>>;
}

/** Assets that pay for nothing, by the way they are searched: HYPE on HyperCore, and tokens. */
export type WrongAsset = 'hyperCore' | 'tokens';

/** What was told of an address. */
export interface ToldFind {
  /** As the search found it. */
  readonly told: unknown;
  /** When it was told, or an operator last searched. */
  readonly since: Date;
  /** When it is searched again, once the job has ended. */
  readonly againAt: Date;
}

/** A transaction that may have moved money to an address inside a contract. */
export interface MentionFact {
  readonly transactionHash: Hash;
  readonly blockNumber: number;
  /** Timestamp of the block, ms. */
  readonly blockAtMs: number;
}
