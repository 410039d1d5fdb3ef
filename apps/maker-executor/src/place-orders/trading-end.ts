import type { Execution, ExecutionEnding } from '../execution/execution.ts';

/** What ends trading before the money is spent. */
export interface EndLimits {
  /** Reverted orders in a row. */
  readonly mostConsecutiveFailures: number;
  /** Time without a pool that is deep enough, ms. */
  readonly liquidityTimeoutMs: number;
}

/**
 * Why a job places no further order, whatever it waits for. Source: design §§ 4 'End' and 4a.
 * @param chainNowMs timestamp of the newest block
 */
export function tradingEnd(
  execution: Execution,
  chainNowMs: number,
  { mostConsecutiveFailures, liquidityTimeoutMs }: EndLimits,
): ExecutionEnding | undefined {
  const { cancelled, consecutiveFailures, shortDeliveries, paused, plan } = execution;
  if (cancelled) return { kind: 'cancelled', message: 'an operator cancelled the job' };
  if (shortDeliveries > 0)
    return { kind: 'technical', message: 'the token brought less than the least that an order accepts' };
  if (consecutiveFailures >= mostConsecutiveFailures) {
    return { kind: 'technical', message: `${consecutiveFailures} orders in a row were reverted` };
  }
  const isThin = paused?.reason === 'thin_liquidity';
  if (isThin && chainNowMs - paused.since.getTime() >= liquidityTimeoutMs) {
    return { kind: 'liquidity', message: 'no pool was deep enough for too long' };
  }
  return chainNowMs >= plan.tradingEndsAt.getTime() ? endInTime(execution) : undefined;
}

/** The published time is over: how the job ends is decided by what it bought, and by what it waited for. */
function endInTime({ paused, ordersPlaced }: Execution): ExecutionEnding {
  const waited = paused?.reason;
  if (waited === 'thin_liquidity')
    return { kind: 'liquidity', message: 'no pool was deep enough until the published end' };
  if (ordersPlaced > 0) return { kind: 'completed', message: 'the published time for orders is over' };
  if (waited === 'price_band')
    return { kind: 'liquidity', message: 'the price stood above the band until the published end' };
  return { kind: 'technical', message: 'no order could be placed until the published end' };
}
