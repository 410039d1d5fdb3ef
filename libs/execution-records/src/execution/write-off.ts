import { larger } from '@maker/rules';
import { addEntries, expectedBalance, freeBalance, type LedgerEntry, ledgerEntry } from '../ledger/ledger-entry.ts';
import type { Execution } from './execution.ts';
import type { ExecutionChange } from './executions.repository.ts';

/** What giving up missing money changes. */
export interface WrittenOff {
  readonly missingWei: bigint;
  readonly entries: readonly LedgerEntry[];
  readonly change: Required<Pick<ExecutionChange, 'totals' | 'driftWei'>>;
}

/**
 * Books money as missing that the chain shows no longer, so that ledger and chain agree: what is free first, then what
 * was set apart. Only an operator's command leads here.
 * @param balanceWei what the chain shows
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
