import { CANCELLED, type Execution, type ExecutionEnding, endInTime, REFUSED } from '@maker/execution-records';
import type { TickRules } from '../session/view.ts';

/** Time without an accepted purchase after which the rest is returned, ms. */
const MOST_REFUSED_MS = 3_600_000;

/**
 * Returns why a job places no further order; undefined if it may. Source: design §§ 4 'End' and 4a.
 * @param chainNowMs timestamp of the newest block, ms
 */
export function tradingEnd(
  execution: Execution,
  chainNowMs: number,
  { mostConsecutiveFailures, liquidityTimeoutMs }: Pick<TickRules, 'mostConsecutiveFailures' | 'liquidityTimeoutMs'>,
): ExecutionEnding | undefined {
  const { cancelled, consecutiveFailures, shortDeliveries, paused, plan } = execution;
  if (cancelled) return CANCELLED;
  if (shortDeliveries > 0) return { kind: 'technical', message: 'an order brought fewer tokens than its minimum' };
  if (consecutiveFailures >= mostConsecutiveFailures) {
    return { kind: 'technical', message: `${consecutiveFailures} orders in a row failed` };
  }
  const waitedMs = paused ? chainNowMs - paused.since.getTime() : 0;
  if (paused?.reason === 'purchase_refused' && waitedMs >= Math.min(MOST_REFUSED_MS, liquidityTimeoutMs))
    return REFUSED;
  const isThin = paused?.reason === 'thin_liquidity';
  if (isThin && waitedMs >= liquidityTimeoutMs) {
    return { kind: 'liquidity', message: 'no pool had enough liquidity for too long' };
  }
  return chainNowMs >= plan.tradingEndsAt.getTime() ? endInTime(execution) : undefined;
}
