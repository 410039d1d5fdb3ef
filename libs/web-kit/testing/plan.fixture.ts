import type { JobPlan } from '@maker/contracts';
import { parseHype, splitDeposit } from '@maker/rules';

const wei = (hype: string) => parseHype(hype).toString();

/** A plan for a test: 5 HYPE in a deep pool. */
export function planOf(changes: Partial<JobPlan> = {}): JobPlan {
  return {
    depositWei: wei('5'),
    feeWei: wei('1.5'),
    orderBudgetWei: wei('3.4'),
    reserveWei: wei('0.1'),
    orders: { count: 8500, sizeWei: wei('0.0004'), merged: 1, intervalMs: 10_165 },
    slotMs: 10_165,
    startsAt: '2026-01-01T12:00:00.000Z',
    expectedEndAt: '2026-01-02T12:00:00.000Z',
    tradingEndsAt: '2026-01-03T12:00:00.000Z',
    latestEndAt: '2026-01-03T13:00:00.000Z',
    spendableWei: wei('3.4'),
    purchase: {
      exchange: 'hyperswap-v3',
      seenPriceX96: '1',
      tokens: wei('12345.678'),
      orderImpactBps: 1,
      impactBps: 12,
      priceRiseBps: 25,
    },
    gas: { ordersWei: wei('0.05'), transfersWei: wei('0.001'), fromReserveWei: wei('0.051'), fromBudgetWei: '0' },
    returnedWei: wei('0.049'),
    limits: { slippageBps: 100, impactCapBps: 50, bandBps: 1000 },
    warnings: [],
    assumes: { gasPriceWei: '100000000', block: { number: 1, at: '2026-01-01T12:00:00.000Z' } },
    token: { symbol: 'CAT', decimals: 18 },
    ...changes,
  };
}

/** A plan for a test: a budget that a deep pool takes whole, at 0.0017 HYPE for one token. @param hype such as '0.5' */
export function planOfBudget(hype: string, changes: Partial<JobPlan> = {}): JobPlan {
  const { feeWei, orderBudgetWei } = splitDeposit(parseHype(hype));
  const spendableWei = orderBudgetWei.toString();
  const tokens = ((orderBudgetWei * 10_000n) / 17n).toString();
  return planOf({
    depositWei: wei(hype),
    feeWei: feeWei.toString(),
    orderBudgetWei: spendableWei,
    spendableWei,
    purchase: { ...planOf().purchase, tokens },
    ...changes,
  });
}
