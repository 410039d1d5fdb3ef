import type { PauseReason } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { endInTime, latestEnding } from './latest-ending.ts';
import { startedExecution } from './started-execution.fixture.ts';

const execution = startedExecution();
const waiting = (reason: PauseReason, ordersPlaced = 0) => ({
  ...execution,
  ordersPlaced,
  paused: { reason, since: new Date(0) },
});

describe('ending of a job at its published end (design § 4 End)', () => {
  it('depends on orders placed and the pause reason', () => {
    const thin = { kind: 'liquidity', message: 'no pool had enough liquidity until the published end' };
    expect(endInTime(waiting('thin_liquidity'))).toEqual(thin);
    expect(endInTime(waiting('thin_liquidity', 3))).toEqual(thin);
    const refused = {
      kind: 'liquidity',
      message: 'the token or its pool refuses purchases: it may limit holdings or trades',
    };
    expect(endInTime(waiting('purchase_refused', 3))).toEqual(refused);
    const bought = { kind: 'completed', message: 'the published time for orders is over' };
    expect(endInTime(waiting('price_band', 1))).toEqual(bought);
    expect(endInTime({ ...execution, ordersPlaced: 1 })).toEqual(bought);
    const expensive = { kind: 'liquidity', message: 'the price was too high until the published end' };
    expect(endInTime(waiting('price_band'))).toEqual(expensive);
    const nothing = { kind: 'technical', message: 'no order could be placed until the published end' };
    expect(endInTime(waiting('gas_guardrail'))).toEqual(nothing);
    expect(endInTime(execution)).toEqual(nothing);
  });

  it('is the earlier decision or a cancellation', () => {
    const decided = { kind: 'completed', message: 'the budget is spent' } as const;
    expect(latestEnding({ ...execution, ending: decided, cancelled: true })).toBe(decided);
    expect(latestEnding({ ...execution, cancelled: true })).toEqual({
      kind: 'cancelled',
      message: 'the job was cancelled',
    });
    expect(latestEnding(execution)).toEqual(endInTime(execution));
  });
});
