import type { PauseReason } from '@maker/rules';
import { ALL_JOBS, type OperatorPause } from '../fact/fact.ts';
import { freeBalance } from '../ledger/ledger-entry.ts';
import type { ActivePhase, Execution } from './execution.ts';

/** What operators see of all executions at work, together. */
export interface ExecutionGauges {
  /** By phase, how far the execution that is furthest behind its schedule is behind it, ms; paused ones apart. */
  readonly overdueMs: ReadonlyMap<ActivePhase, number>;
  /** How many wait, by reason. */
  readonly paused: ReadonlyMap<PauseReason, number>;
  /** By reason, how long the execution that has waited longest has waited, ms. */
  readonly longestPauseMs: ReadonlyMap<PauseReason, number>;
  /** Executions whose wallet is stopped, since ledger and chain differ. */
  readonly drifting: number;
  /** HYPE in their wallets by the ledger, wei. */
  readonly balanceWei: bigint;
}

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
): ExecutionGauges {
  const overdueMs = new Map<ActivePhase, number>();
  const pausedCount = new Map<PauseReason, number>();
  const longestPauseMs = new Map<PauseReason, number>();
  let drifting = 0;
  let balanceWei = 0n;
  for (const execution of active) {
    balanceWei += freeBalance(execution.totals);
    if (execution.driftWei !== 0n) drifting += 1;
    const byOperator = operatorPauses.get(execution.id) ?? operatorPauses.get(ALL_JOBS);
    const paused = execution.paused ?? pauseByOperator(byOperator);
    if (paused) {
      pausedCount.set(paused.reason, (pausedCount.get(paused.reason) ?? 0) + 1);
      raise(longestPauseMs, paused.reason, chainTimeMs - paused.since.getTime());
    } else raise(overdueMs, execution.phase as ActivePhase, chainTimeMs - dueAtMs(execution));
  }
  return { overdueMs, paused: pausedCount, longestPauseMs, drifting, balanceWei };
}

/** What an operator stops waits, and is not late: somebody chose it. */
const pauseByOperator = (pause: OperatorPause | undefined) =>
  pause && { reason: 'operator' as const, since: pause.since };

/** When the next step was due: the next order, or, before trading, all that begins it. */
function dueAtMs({ nextOrderAtMs, createdAt }: Execution): number {
  return nextOrderAtMs ?? createdAt.getTime();
}

function raise<Key>(map: Map<Key, number>, key: Key, value: number): void {
  map.set(key, Math.max(map.get(key) ?? 0, value));
}
