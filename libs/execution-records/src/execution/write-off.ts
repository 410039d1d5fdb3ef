import { larger } from '@maker/rules';
import { addEntries, expectedBalance, freeBalance, type LedgerEntry, ledgerEntry } from '../ledger/ledger-entry.ts';
import type { Execution } from './execution.ts';
import type { ExecutionChange } from './executions.repository.ts';

/** The changes that write off missing money. */
export interface WrittenOff {
  readonly missingWei: bigint;
  readonly entries: readonly LedgerEntry[];
  readonly change: Required<Pick<ExecutionChange, 'totals' | 'driftWei'>>;
}

/**
 * Books money as missing if the chain no longer shows it, so that ledger and chain agree. It takes free money first, then held
 * money. Only an operator's command causes it.
 * @param balanceWei the wallet's balance on the chain
 */
export function writeOff(execution: Execution, balanceWei: bigint, now: Date): WrittenOff {
  const { id: jobId, totals, revision } = execution;
  const missingWei = larger(expectedBalance(totals) - balanceWei, 0n);
  const fromHeldWei = missingWei - freeBalance(totals);
  const entry = (kind: 'released' | 'missing', amountWei: bigint) =>
    amountWei > 0n ? [ledgerEntry(`${jobId}/missing/${revision}`, kind, { jobId, amountWei, recordedAt: now })] : [];
  const entries = [...entry('released', fromHeldWei), ...entry('missing', missingWei)];
  return { missingWei, entries, change: { totals: addEntries(totals, entries), driftWei: 0n } };
}
