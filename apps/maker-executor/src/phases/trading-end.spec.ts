import { derivedPlan, type Execution } from '@maker/execution-records';
import { DEFAULT_PLAN_LIMITS, type PauseReason } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { tradingEnd } from './trading-end.ts';

const NOW = 1_800_000_000_000;
const limits = { mostConsecutiveFailures: 20, liquidityTimeoutMs: 1000 };
const plan = derivedPlan(10n ** 17n, NOW, DEFAULT_PLAN_LIMITS);
const OVER = plan.tradingEndsAt.getTime();

const calm = { cancelled: false, consecutiveFailures: 0, shortDeliveries: 0, paused: null, ordersPlaced: 0, plan };

function end(change: Partial<Execution>, chainNowMs = NOW) {
  return tradingEnd({ ...calm, ...change } as Execution, chainNowMs, limits)?.kind;
}

const waits = (reason: PauseReason) => ({ paused: { reason, since: new Date(NOW) } });

describe('tradingEnd', () => {
  it('continues while nothing ends it', () => {
    expect(end({}, OVER - 1)).toBeUndefined();
    expect(end(waits('gas_guardrail'), OVER - 1)).toBeUndefined();
  });

  it('ends at the published time, completed if bought', () => {
    for (const reason of ['gas_guardrail', 'price_band', 'operator'] as const)
      expect(end({ ...waits(reason), ordersPlaced: 3 }, OVER)).toBe('completed');
    expect(end({ ...waits('thin_liquidity'), ordersPlaced: 3 }, OVER)).toBe('liquidity');
    expect(end(waits('price_band'), OVER)).toBe('liquidity');
    expect(end(waits('gas_guardrail'), OVER)).toBe('technical');
  });

  it('ends early for liquidity, reverts, tax or operator', () => {
    expect(end({ paused: { reason: 'thin_liquidity', since: new Date(NOW - 1000) } })).toBe('liquidity');
    expect(end({ consecutiveFailures: 20 })).toBe('technical');
    expect(end({ shortDeliveries: 1 })).toBe('technical');
    expect(end({ cancelled: true })).toBe('cancelled');
  });

  it('gives the reason in a sentence', () => {
    const why = (change: Partial<Execution>) => tradingEnd({ ...calm, ...change } as Execution, NOW, limits)?.message;
    expect(why({ shortDeliveries: 1 })).toBe('an order brought fewer tokens than its minimum');
    expect(why({ consecutiveFailures: 21 })).toBe('21 orders in a row failed');
    expect(why({ paused: { reason: 'thin_liquidity', since: new Date(NOW - 1000) } })).toBe(
      'no pool had enough liquidity for too long',
    );
    expect(why({ cancelled: true })).toBe('the job was cancelled');
  });

  it('ends after an hour of refusals, or the shorter limit', () => {
    const refused = (agoMs: number, liquidityTimeoutMs = 6 * 3_600_000) =>
      tradingEnd({ ...calm, paused: { reason: 'purchase_refused', since: new Date(NOW - agoMs) } } as Execution, NOW, {
        ...limits,
        liquidityTimeoutMs,
      });
    expect(refused(3_599_999)).toBeUndefined();
    expect(refused(3_600_000)).toEqual({
      kind: 'liquidity',
      message: 'the token or its pool refuses purchases: it may limit holdings or trades',
    });
    expect(refused(1000, 1000)?.kind).toBe('liquidity');
  });

  it('waits for liquidity up to the limit', () => {
    expect(end({ paused: { reason: 'thin_liquidity', since: new Date(NOW - 999) } })).toBeUndefined();
    expect(end({ paused: { reason: 'price_band', since: new Date(NOW - 5000) } })).toBeUndefined();
    expect(end({ consecutiveFailures: 19 })).toBeUndefined();
  });
});
