import { scheduleOrders, splitDeposit } from '@maker/rules';
import { type Address, isAddressEqual } from 'viem';
import type { Execution } from '../execution.ts';
import { addEntries, EMPTY_TOTALS, type LedgerEntry, ledgerEntry } from '../ledger/ledger-entry.ts';

/** A job that turned active, as its event tells. */
export interface ActivatedJob {
  readonly jobId: string;
  readonly tokenAddress: Address;
  readonly walletAddress: Address;
  readonly walletIndex: number;
  readonly depositWei: bigint;
  readonly returnAddress: Address | null;
}

/** A new execution and the first line of its ledger. */
export interface StartedExecution {
  readonly execution: Execution;
  readonly entries: readonly LedgerEntry[];
}

/** What an execution is refused for when seed and xpub do not belong together, or the event was forged. */
export const FOREIGN_WALLET = 'the wallet of the job is not a wallet of this seed';

/**
 * Plans a job: divides the deposit and fixes the schedule. A job whose wallet address is not the one that the seed
 * gives for its index is refused, and its money stays held for an operator. Source: design §§ 4 and 6.
 * @param seedAddress address of the seed's wallet at the job's index
 * @param executionWindowMs time over which the orders are spread, ms
 */
export function startExecution(
  job: ActivatedJob,
  seedAddress: Address,
  executionWindowMs: number,
  now: Date,
): StartedExecution {
  const ours = isAddressEqual(job.walletAddress, seedAddress);
  const { feeWei, orderBudgetWei } = splitDeposit(job.depositWei);
  const { orderCount, intervalMs } = scheduleOrders(orderBudgetWei, executionWindowMs);
  const returnsToItself = job.returnAddress !== null && isAddressEqual(job.returnAddress, job.walletAddress);
  const entries = [
    ledgerEntry(job.jobId, 'deposit', {
      jobId: job.jobId,
      amountWei: job.depositWei,
      transactionHash: null,
      blockNumber: null,
      recordedAt: now,
    }),
  ];
  return {
    entries,
    execution: {
      id: job.jobId,
      phase: ours ? 'fee' : 'refused',
      walletAddress: job.walletAddress,
      walletIndex: job.walletIndex,
      tokenAddress: job.tokenAddress,
      token: null,
      returnAddress: returnsToItself ? null : job.returnAddress,
      depositWei: job.depositWei,
      feeWei,
      orderBudgetWei,
      plannedOrders: orderCount,
      intervalMs,
      nextOrderAtMs: null,
      startPriceTokens: null,
      paused: null,
      driftWei: 0n,
      totals: addEntries(EMPTY_TOTALS, entries),
      ordersSigned: 0,
      ordersPlaced: 0,
      ordersFailed: 0,
      consecutiveFailures: 0,
      ending: ours ? null : { kind: 'technical', message: FOREIGN_WALLET },
      heldReason: ours ? null : FOREIGN_WALLET,
      revision: 0,
      createdAt: now,
      endedAt: ours ? null : now,
    },
  };
}
