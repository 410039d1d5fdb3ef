import type { BlockHead, BroadcastAnswer } from '@maker/chain';
import {
  type Execution,
  type Fact,
  isActivePhase,
  type TransactionRecord,
  UNCONFIRMED_STATES,
  WORK_FACTS,
} from '@maker/execution-records';
import type { Lease } from '@maker/persistence';
import type { Address } from 'viem';

/** A node's last answer to a transaction's bytes, and the block at which this process sent them. */
export interface Broadcast {
  readonly hash: string;
  readonly answer: 'accepted' | BroadcastAnswer;
  /** Height; null if only the transaction's receipt can show the result. */
  readonly atBlock: number | null;
}

/** Last estimate of a buy's gas in a pool. */
export interface GasEstimate {
  readonly pool: Address;
  readonly gas: bigint;
  /** Gas by which orders are sized. */
  readonly expected: bigint;
  readonly atBlock: number;
}

/** Price of the next order that two hosts confirmed, X96, with the number of orders signed by then and the chain's time, ms. */
export interface ConfirmedQuote {
  readonly priceX96: bigint;
  readonly atOrder: number;
  readonly atMs: number;
}

/** Blocks between which something was repeatedly missing. */
export interface Missed {
  readonly sinceBlock: number;
  readonly lastBlock: number;
}

/** Most blocks between two misses that count as one absence. */
const MISSED_AGAIN_WITHIN_BLOCKS = 10;

/** Records a miss at a block. After a longer gap without a miss, the absence counts from this block. */
export function missedAt(before: Missed | null, block: number): Missed {
  const isSame = before !== null && block - before.lastBlock <= MISSED_AGAIN_WITHIN_BLOCKS;
  return { sinceBlock: isSame ? before.sinceBlock : block, lastBlock: block };
}

/**
 * Counters and waiting times of one owner of a wallet. They end with the lease: the next owner starts with {@link NEW_MEMORY}.
 * Heights and times are null while the owner waits for nothing.
 */
export interface Memory {
  /** Time of the last comparison of ledger and chain (our clock, ms), and height of the last attempt. */
  readonly checkedAtMs: number;
  readonly checkedAtBlock: number;
  /** Missing money found while transactions were open. */
  readonly doubted: Missed | null;
  /** Time since which a due check has found no balance of its block: our clock, ms. */
  readonly checkMissedSinceMs: number | null;
  /** Whether this owner ran a tick of the job before its latest end. */
  readonly isInTime: boolean;
  /** Height at which the wallet was first found stopped. */
  readonly stoppedSinceBlock: number | null;
  /** The chain did not show the deposit. */
  readonly depositMissed: Missed | null;
  /** The wallet held fewer tokens than its transaction receipts show. */
  readonly tokensMissed: Missed | null;
  /** Height at which money was first unexplained. Later money does not change it, so that dust extends no wait. */
  readonly surplusSinceBlock: number | null;
  /** Chain time before which the market is not queried again, ms. */
  readonly nextQuoteAtMs: number;
  /** Number of orders signed when a quote was last discarded because it was too old. */
  readonly requotedAtOrder: number | null;
  readonly confirmedQuote: ConfirmedQuote | null;
  readonly gasEstimate: GasEstimate | null;
  /** By pool that refused a buy: the height from which it is tried again. */
  readonly refusedPools: Readonly<Record<Address, number>>;
  /** Chain time since which a transaction other than an order waits for its share of the minute's gas, ms. */
  readonly roomMissedSinceMs: number | null;
  /** Chain time at which the minute's gas last had no room for a due transaction, ms. */
  readonly noRoomAtMs: number | null;
  /** By the transaction's id. */
  readonly broadcasts: Readonly<Record<string, Broadcast>>;
}

/** Memory of a new owner. */
export const NEW_MEMORY: Memory = {
  checkedAtMs: 0,
  checkedAtBlock: 0,
  doubted: null,
  checkMissedSinceMs: null,
  isInTime: false,
  stoppedSinceBlock: null,
  depositMissed: null,
  tokensMissed: null,
  surplusSinceBlock: null,
  nextQuoteAtMs: 0,
  requotedAtOrder: null,
  confirmedQuote: null,
  gasEstimate: null,
  refusedPools: {},
  roomMissedSinceMs: null,
  noRoomAtMs: null,
  broadcasts: {},
};

/** Reset of the memory after an end or a settlement: the next comparison starts without history. */
export const FORGOTTEN_AT_END = {
  checkedAtMs: 0,
  checkedAtBlock: 0,
  doubted: null,
  checkMissedSinceMs: null,
  surplusSinceBlock: null,
} as const satisfies Partial<Memory>;

/**
 * All state of one execution under one lease. It is created when the lease is acquired and dropped when it is lost. State that
 * must survive is in the execution's row. Source: design § 5.
 */
export interface Session {
  readonly lease: Lease;
  readonly execution: Execution;
  /** Transactions that are not final, by nonce. */
  readonly open: readonly TransactionRecord[];
  /** Highest nonce ever signed for the wallet; undefined before the first. */
  readonly highestNonce: number | undefined;
  /** Facts at the start of the tick. */
  readonly facts: readonly Fact[];
  readonly memory: Memory;
}

/** Whether an execution is in an active phase or has a fact to handle. */
export function isAtWork({ execution, facts }: Pick<Session, 'execution' | 'facts'>): boolean {
  return isActivePhase(execution.phase) || facts.some(({ kind }) => WORK_FACTS.includes(kind));
}

/** Blocks on top of a final transaction after which a difference between hosts is no lag. */
const DISPUTED_AFTER_BLOCKS = 10;

/** Whether hosts disagree about a transaction: it has been in a block for long, but is not booked. */
export function isDisputed(open: readonly TransactionRecord[], head: BlockHead, confirmations: number): boolean {
  const latest = head.number - confirmations - DISPUTED_AFTER_BLOCKS;
  return open.some(({ inclusion }) => inclusion !== null && inclusion.blockNumber < latest);
}

/** Transactions that hold a place in the mempool. */
export function unconfirmed(open: readonly TransactionRecord[]): readonly TransactionRecord[] {
  return open.filter(({ state }) => UNCONFIRMED_STATES.includes(state));
}
