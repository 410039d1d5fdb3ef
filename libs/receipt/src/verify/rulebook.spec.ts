import {
  DEFAULT_PLAN_LIMITS,
  FEE_CAP_WEI,
  FEE_PERCENT,
  GAS_GUARDRAIL_WEI,
  LARGEST_ORDER_WEI,
  parseHype,
} from '@maker/rules';
import { expect, it } from 'vitest';
import { RULEBOOKS, RULES_VERSION } from './rulebook.ts';

it('the current version matches the limits of jobs', () => {
  const { slippageBps, bandBps, windowMs, pauseAllowanceMs, endingAllowanceMs } = DEFAULT_PLAN_LIMITS;
  expect(RULEBOOKS.get(RULES_VERSION)).toEqual({
    orderGasPriceWei: GAS_GUARDRAIL_WEI,
    gasPriceWei: FEE_CAP_WEI,
    feePercent: FEE_PERCENT,
    largestOrderWei: LARGEST_ORDER_WEI,
    // Of maker-executor: ORDER_LIFE_MS and MOST_LAG_MS.
    orderLifeMs: 120_000,
    lagMs: 5000,
    slippageBps: Number(slippageBps),
    bandBps: Number(bandBps),
    // The default of the services.
    minimumLiquidityWei: parseHype('10'),
    windowMs,
    pauseAllowanceMs,
    endingAllowanceMs,
  });
});
