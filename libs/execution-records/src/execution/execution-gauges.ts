import type { PauseReason } from '@maker/rules';
import { ALL_JOBS, type OperatorPause } from '../fact/fact.ts';
import { freeBalance } from '../ledger/ledger-entry.ts';
import type { ActivePhase, Execution } from './execution.ts';

/**
 * Sums executions up.
 * @param active those with work to do
 * @param chainTimeMs time of the newest block, by which orders are due and pauses are noted, ms
 * @param operatorPauses by job, or `ALL_JOBS`
 */
export function gaugesOf(
  active: readonly Execution[],
  chainTimeMs: number,
  operatorPauses: ReadonlyMap<string, OperatorPause> = new Map(),
) {
  /** By phase, how far the execution that is furthest behind its schedule is behind it; paused ones apart. */
  const overdueMs = new Map<ActivePhase, number>();
  /** How many wait, by reason. */
  const paused = new Map<PauseReason, number>();
  /** By reason, how long the execution that has waited longest has waited. */
  const longestPauseMs = new Map<PauseReason, number>();
  /** Executions whose wallet is stopped, since ledger and chain differ. */
  let drifting = 0;
  /** HYPE in their wallets by the ledger. */
  let balanceWei = 0n;
  for (const execution of active) {
    balanceWei += freeBalance(execution.totals);
    if (execution.driftWei !== 0n) drifting += 1;
    const byOperator = operatorPauses.get(execution.id) ?? operatorPauses.get(ALL_JOBS);
    // What an operator stops waits, and is not late: somebody chose it.
    const pause = execution.paused ?? (byOperator && { reason: 'operator' as const, since: byOperator.since });
    if (pause) {
      paused.set(pause.reason, (paused.get(pause.reason) ?? 0) + 1);
      raise(longestPauseMs, pause.reason, chainTimeMs - pause.since.getTime());
      continue;
    }
    // When the next step was due: the next order, or, before trading, all that begins it.
    const dueAtMs = execution.nextOrderAtMs ?? execution.createdAt.getTime();
    raise(overdueMs, execution.phase as ActivePhase, chainTimeMs - dueAtMs);
  }
  return { overdueMs, paused, longestPauseMs, drifting, balanceWei };
}

function raise<Key>(map: Map<Key, number>, key: Key, value: number): void {
  map.set(key, Math.max(map.get(key) ?? 0, value));
}
