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

/** What a node last said to a transaction's bytes, and when this process sent them. */
export interface Broadcast {
  readonly hash: string;
  readonly answer: 'accepted' | BroadcastAnswer;
  /** Height; null where the answer means that the receipt decides. */
  readonly atBlock: number | null;
}

/** Gas of a buy, as it was last estimated for a pool. */
export interface GasEstimate {
  readonly pool: Address;
  readonly gas: bigint;
  /** What orders are sized by. */
  readonly expected: bigint;
  readonly atBlock: number;
}

/** Price of the next order as two hosts told it, X96; with the orders signed by then, and the chain's time, ms. */
export interface ConfirmedQuote {
  readonly priceX96: bigint;
  readonly atOrder: number;
  readonly atMs: number;
}

/** Something that was missing at a block, and again at later ones. */
export interface Missed {
  readonly sinceBlock: number;
  readonly lastBlock: number;
}

/** Blocks within which a missing thing must be missed again to count as missing since the first time. */
const MISSED_AGAIN_WITHIN_BLOCKS = 10;

/** Notes that something is missing at a block. After a pause in which it was not asked for, patience begins anew. */
export function missedAt(before: Missed | null, block: number): Missed {
  const isSame = before !== null && block - before.lastBlock <= MISSED_AGAIN_WITHIN_BLOCKS;
  return { sinceBlock: isSame ? before.sinceBlock : block, lastBlock: block };
}

/**
 * Counters and patience of one owner of a wallet. All of it ends with the lease: whoever owns the wallet next starts anew.
 * Heights and times are null while nothing is waited for.
 */
export interface Memory {
  /** When ledger and chain were last found to be comparable: our clock, ms, and height. */
  readonly checkedAtMs: number;
  readonly checkedAtBlock: number;
  /** A difference between ledger and chain, seen amid open transactions. */
  readonly doubted: Missed | null;
  /** When a check that was due first had no balance of its block, ms. */
  readonly checkMissedSinceMs: number | null;
  /** Whether this owner worked on the job before its latest end. */
  readonly isInTime: boolean;
  /** Height at which the wallet was first found stopped. */
  readonly stoppedSinceBlock: number | null;
  /** The deposit was not shown. */
  readonly depositMissed: Missed | null;
  /** The wallet held fewer tokens than its receipts say. */
  readonly tokensMissed: Missed | null;
  /** Height at which money was first unexplained; counted once, so that later dust extends nothing. */
  readonly surplusSinceBlock: number | null;
  /** Chain time before which the market is not asked again, ms. */
  readonly nextQuoteAtMs: number;
  /** Orders signed when a quote was last thrown away because it was too old. */
  readonly requotedAtOrder: number | null;
  readonly confirmedQuote: ConfirmedQuote | null;
  readonly gasEstimate: GasEstimate | null;
  /** By pool, the height from which one that refused a buy is tried again. */
  readonly refusedPools: Readonly<Record<Address, number>>;
  /** Chain time since which something other than an order waits for room in the minute's gas, ms. */
  readonly roomMissedSinceMs: number | null;
  /** Chain time at which the minute last had no room for what was due, ms. */
  readonly noRoomAtMs: number | null;
  /** By the transaction's id. */
  readonly broadcasts: Readonly<Record<string, Broadcast>>;
}

/** Nothing was waited for yet. */
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

/** What is forgotten of an execution that ended, or settled: the next comparison begins anew. */
export const FORGOTTEN_AT_END = {
  checkedAtMs: 0,
  checkedAtBlock: 0,
  doubted: null,
  checkMissedSinceMs: null,
  surplusSinceBlock: null,
} as const satisfies Partial<Memory>;

/**
 * Everything known about one execution under one lease. It is made when the lease is acquired and dropped when it is lost;
 * what must survive that is in the execution's row. Source: design § 5.
 */
export interface Session {
  readonly lease: Lease;
  readonly execution: Execution;
  /** Transactions that are not final, by nonce. */
  readonly open: readonly TransactionRecord[];
  /** Highest nonce ever reserved for the wallet; undefined before the first. */
  readonly highestNonce: number | undefined;
  /** As they stood when the tick began. */
  readonly facts: readonly Fact[];
  readonly memory: Memory;
}

/** Whether an execution has something to do. */
export function isAtWork({ execution, facts }: Pick<Session, 'execution' | 'facts'>): boolean {
  return isActivePhase(execution.phase) || facts.some(({ kind }) => WORK_FACTS.includes(kind));
}

/** Blocks on a final transaction after which hosts do not only lag. */
const DISPUTED_AFTER_BLOCKS = 10;

/** Whether hosts tell differently what became of a transaction: it is in a block for long, and not booked. */
export function isDisputed(open: readonly TransactionRecord[], head: BlockHead, confirmations: number): boolean {
  const latest = head.number - confirmations - DISPUTED_AFTER_BLOCKS;
  return open.some(({ inclusion }) => inclusion !== null && inclusion.blockNumber < latest);
}

/** Transactions that hold a place in the mempool. */
export function unconfirmed(open: readonly TransactionRecord[]): readonly TransactionRecord[] {
  return open.filter(({ state }) => UNCONFIRMED_STATES.includes(state));
}
