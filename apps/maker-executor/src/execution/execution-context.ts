import type { Lease } from '@maker/persistence';
import type { BlockHead } from '../chain/block-head.ts';
import type { TransactionRecord } from '../transaction/transaction.ts';
import { UNCONFIRMED_STATES } from '../transaction/transaction-state.ts';
import type { Execution } from './execution.ts';

/** One look at one execution: what it was when it was read, at which block, and by what right it may be changed. */
export interface ExecutionContext {
  readonly lease: Lease;
  readonly head: BlockHead;
  readonly execution: Execution;
  /** Transactions that are not final, by nonce. */
  readonly open: readonly TransactionRecord[];
}

/** Transactions that hold a place in the mempool. */
export function unconfirmed(context: ExecutionContext): readonly TransactionRecord[] {
  return context.open.filter((transaction) => UNCONFIRMED_STATES.includes(transaction.state));
}
