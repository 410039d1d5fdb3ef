import type { Execution, ExecutionEnding } from '@maker/execution-records';

/** Who cancelled it, payer or operator, is the job service's to say. */
export const CANCELLED: ExecutionEnding = { kind: 'cancelled', message: 'the job was cancelled' };

/** Purchases were refused: after an hour, or at the published end, whichever comes first. */
export const REFUSED: ExecutionEnding = {
  kind: 'liquidity',
  message: 'the token or its pool refuses purchases: it may limit holdings or trades',
};

/** How a job ends whose latest end has come, whatever it waits for. Source: design § 4 'End'. */
export function latestEnding(execution: Execution): ExecutionEnding {
  return execution.ending ?? (execution.cancelled ? CANCELLED : endInTime(execution));
}

/** The published time is over: how a job ends is decided by what it bought, and by what it waited for. */
export function endInTime({ paused, ordersPlaced }: Execution): ExecutionEnding {
  const waited = paused?.reason;
  if (waited === 'thin_liquidity')
    return { kind: 'liquidity', message: 'no pool was deep enough until the published end' };
  if (waited === 'purchase_refused') return REFUSED;
  if (ordersPlaced > 0) return { kind: 'completed', message: 'the published time for orders is over' };
  if (waited === 'price_band')
    return { kind: 'liquidity', message: 'the price stood above the band until the published end' };
  return { kind: 'technical', message: 'no order could be placed until the published end' };
}
