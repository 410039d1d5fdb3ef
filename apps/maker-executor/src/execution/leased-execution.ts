import type { Lease } from '@maker/persistence';
import type { BlockHead } from '../chain/head-feed.ts';
import type { TransactionRecord } from '../transaction/transaction.ts';
import { UNCONFIRMED_STATES } from '../transaction/transaction-state.ts';
import type { Execution } from './execution.ts';

/** An execution as it was read at a block, under the lease by which it may be changed. */
export interface LeasedExecution {
  readonly lease: Lease;
  readonly head: BlockHead;
  readonly execution: Execution;
  /** Transactions that are not final, by nonce. */
  readonly open: readonly TransactionRecord[];
}

/** Transactions that hold a place in the mempool. */
export function unconfirmed(leased: LeasedExecution): readonly TransactionRecord[] {
  return leased.open.filter((transaction) => UNCONFIRMED_STATES.includes(transaction.state));
}

/** What an execution does in one of its phases. */
export interface PhaseStep {
  /** Does what can be done at this block, if anything. @returns the execution after it */
  advance(leased: LeasedExecution): Promise<LeasedExecution>;
}
