import type { Execution, ExecutionEnding } from './execution.ts';

/** Ending of a cancelled job. The job service knows whether the payer or an operator cancelled it. */
export const CANCELLED: ExecutionEnding = { kind: 'cancelled', message: 'the job was cancelled' };

/** Ending after refused purchases: after an hour or at the published end, whichever comes first. */
export const REFUSED: ExecutionEnding = {
  kind: 'liquidity',
  message: 'the token or its pool refuses purchases: it may limit holdings or trades',
};

/** Returns the ending of a job at its latest end, also while it waits. Source: design § 4 'End'. */
export function latestEnding(execution: Execution): ExecutionEnding {
  return execution.ending ?? (execution.cancelled ? CANCELLED : endInTime(execution));
}

/** Returns the ending at the published end. It depends on the number of orders placed and the reason of the current pause. */
export function endInTime({ paused, ordersPlaced }: Execution): ExecutionEnding {
  const waited = paused?.reason;
  if (waited === 'thin_liquidity')
    return { kind: 'liquidity', message: 'no pool had enough liquidity until the published end' };
  if (waited === 'purchase_refused') return REFUSED;
  if (ordersPlaced > 0) return { kind: 'completed', message: 'the published time for orders is over' };
  if (waited === 'price_band') return { kind: 'liquidity', message: 'the price was too high until the published end' };
  return { kind: 'technical', message: 'no order could be placed until the published end' };
}
