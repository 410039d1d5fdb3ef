import type { Origin } from '@maker/service-kit';
import type { Address, Hash } from 'viem';

/** A watched address of a job. */
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
  /** The first block scanned for the address; null until the scanner takes the watch over. */
  readonly scannedFromBlock: number | null;
  /** Whether the blocks below it were searched for the payer. */
  readonly searchedBack: boolean;
  /** Block of the last saved balance reading. The first reading is always saved. */
  readonly readAtBlock: number | null;
  /** Timestamp of that block. */
  readonly readAt: Date | null;
  /** Block of the first saved reading past the deadline. */
  readonly readPastDeadlineAtBlock: number | null;
  /** Transactions since the last reading that named the address in their calldata. */
  readonly mentions: readonly MentionFact[];
  /**
   * The first block in which the address sent a transaction. From there its balance falls for reasons that the watcher
   * does not know. The watcher explains only balances below that block.
   */
  readonly spendingSinceBlock: number | null;
  /** Number of `payment.seen` events of the address. */
  readonly seenRevision: number;
  /** Chain time at which `payment.deadline_passed` was recorded. */
  readonly deadlinePassedAt: Date | null;
  /** Time of the next poll after the announced deadline. Null before that: each poll reads it. */
  readonly nextPollAt: Date | null;
  /** End of the watch; set when the job ends. */
  readonly watchUntil: Date | null;
  /** Whether the watch has ended. */
  readonly closed: boolean;
  /** Reported assets at the address that pay for no job; absent if there are none. */
  readonly finds?: Readonly<Partial<Record<WrongAsset, ReportedFind>>>;
}

/** Assets that pay for no job, by kind of search: HYPE on HyperCore, and tokens. */
export type WrongAsset = 'hyperCore' | 'tokens';

/** A find that was reported to the job. */
export interface ReportedFind {
  /** As the search found it. */
  readonly reported: unknown;
  /** Time of the report, or of an operator's last search. */
  readonly since: Date;
  /** Time of the next search, after the end of the job. */
  readonly againAt: Date;
}

/** A transaction that may have moved money to an address inside a contract. */
export interface MentionFact {
  readonly transactionHash: Hash;
  readonly blockNumber: number;
  /** Timestamp of the block, ms. */
  readonly blockAtMs: number;
}
