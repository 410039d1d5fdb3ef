import type { PauseReason } from '@maker/rules';
import { ALL_JOBS, type OperatorPause } from '../fact/fact.ts';
import { freeBalance } from '../ledger/ledger-entry.ts';
import type { ActivePhase, Execution } from './execution.ts';

/**
 * Summarises executions for the metrics.
 * @param active executions in an active phase
 * @param chainTimeMs time of the newest block, ms; due times and pauses are in chain time
 * @param operatorPauses by job, or `ALL_JOBS`
 */
export function gaugesOf(
  active: readonly Execution[],
  chainTimeMs: number,
  operatorPauses: ReadonlyMap<string, OperatorPause> = new Map(),
) {
  /** The longest delay behind schedule by phase, without paused executions. */
  const overdueMs = new Map<ActivePhase, number>();
  /** Paused executions by reason. */
  const paused = new Map<PauseReason, number>();
  /** The longest pause by reason. */
  const longestPauseMs = new Map<PauseReason, number>();
  /** Executions whose wallet is stopped because ledger and chain differ. */
  let drifting = 0;
  /** HYPE in their wallets by the ledger. */
  let balanceWei = 0n;
  for (const execution of active) {
    balanceWei += freeBalance(execution.totals);
    if (execution.driftWei !== 0n) drifting += 1;
    const byOperator = operatorPauses.get(execution.id) ?? operatorPauses.get(ALL_JOBS);
    // A job that an operator paused counts as paused, not as late.
    const pause = execution.paused ?? (byOperator && { reason: 'operator' as const, since: byOperator.since });
    if (pause) {
      paused.set(pause.reason, (paused.get(pause.reason) ?? 0) + 1);
      raise(longestPauseMs, pause.reason, chainTimeMs - pause.since.getTime());
      continue;
    }
    // Due time of the next step: the next order, or the creation before trading.
    const dueAtMs = execution.nextOrderAtMs ?? execution.createdAt.getTime();
    raise(overdueMs, execution.phase as ActivePhase, chainTimeMs - dueAtMs);
  }
  return { overdueMs, paused, longestPauseMs, drifting, balanceWei };
}

function raise<Key>(map: Map<Key, number>, key: Key, value: number): void {
  map.set(key, Math.max(map.get(key) ?? 0, value));
}
